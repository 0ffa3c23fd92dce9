package import TrackEngine

extension HTTPSink.Configuration.SuccessRule {
    /// Evaluates a reply with a status from 200 to 299.
    ///
    /// JSON with another value at the path is a rejection by the receiver, perhaps because of one record. Any other
    /// reply is not from a receiver that follows the rule.
    package func verdict(_ reply: Reply) -> ReplyOutcome {
        let status = "HTTP \(reply.status)"
        if let expected = self.status, expected != reply.status {
            return .failed(.retry(evidence: .silence), "\(status), expected \(expected)")
        }
        if let text = contains, !String(decoding: reply.body, as: UTF8.self).contains(text) {
            return .failed(.retry(evidence: .silence), "\(status) without the expected text in the body")
        }
        guard let path else { return contains == nil ? .unlessPage(reply) : .acknowledged }
        guard !reply.isCut else {
            // A repeated request would get a reply of the same length.
            return .failed(
                .needsOperator,
                "\(status) with more than 64 KiB, in which \(path) cannot be looked for; expected a rule without path")
        }
        guard let json = JSONValue(ifReadable: reply.body) else {
            return .failed(.retry(evidence: .silence), "\(status) with a body that is not JSON, expected \(path)")
        }
        guard let found = json.value(at: path) else {
            return .failed(.retry(evidence: .failure), "\(status) with JSON that has no \(path)")
        }
        guard let value, found.plainText != value else { return .acknowledged }
        return .failed(.retry(evidence: .failure), "\(status) with JSON in which \(path) is not \(value)")
    }
}

extension JSONValue {
    /// The value at a path of names and indexes, such as `items.0.state`.
    package func value(at path: String) -> JSONValue? {
        var value: JSONValue? = self
        for name in path.split(separator: ".") {
            if let elements = value?.array {
                value = Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            } else {
                value = value?[String(name)]
            }
        }
        return value
    }

    /// A string without its quotes, a number, a Boolean or `null`; `nil` for arrays and objects.
    fileprivate var plainText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .boolean(let truth): "\(truth)"
        case .null: "null"
        case .array, .object: nil
        }
    }
}
