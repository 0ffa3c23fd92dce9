package import HTTPDelivery
package import TrackEngine

extension HTTPSink.Configuration.SuccessRule {
    /// Judges a reply with a status from 200 to 299.
    ///
    /// JSON that says something else at the path is the receiver's own "no", perhaps for the sake of one record; anything
    /// else is not from a receiver that keeps to the rule.
    package func verdict(_ reply: Reply) -> ReplyVerdict {
        let status = "HTTP \(reply.status)"
        if let expected = self.status, expected != reply.status {
            return .failed(.retryUnanswered(), "\(status), expected \(expected)")
        }
        if let text = contains, !String(decoding: reply.body, as: UTF8.self).contains(text) {
            return .failed(.retryUnanswered(), "\(status) without the expected text in the body")
        }
        guard let path else { return contains == nil ? .unlessPage(reply) : .acknowledged }
        guard !reply.isCut else {
            // Sent again it would say as much again.
            return .failed(
                .pause,
                "\(status) with more than 64 KiB, in which \(path) cannot be looked for; expected a rule without path")
        }
        guard let json = JSONValue(ifReadable: reply.body) else {
            return .failed(.retryUnanswered(), "\(status) with a body that is not JSON, expected \(path)")
        }
        guard let found = json.value(at: path) else {
            return .failed(.retrySuspectingRecord(), "\(status) with JSON that has no \(path)")
        }
        guard let value, found.plainText != value else { return .acknowledged }
        return .failed(.retrySuspectingRecord(), "\(status) with JSON whose \(path) is not \(value)")
    }
}

extension JSONValue {
    /// The value at a path of names and places, `items.0.state`.
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

    /// A text without its quotes, a number, a truth or `null`; `nil` for arrays and objects.
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
