package import TrackEngine
package import TrackEngineSettings

/// The verdict on a reply with a status from 200 to 299, for the formats of Overland and CalmGeo (overland 4).
extension ReplyOutcome {
    /// Evaluates a reply with a rule for success; see ``of(_:endpoint:now:hiding:success:)``.
    package static func of(
        _ reply: Reply, rule: OverlandSink.Configuration.SuccessRule, endpoint: Endpoint, now: Timestamp,
        hiding secrets: [String] = []
    ) -> ReplyOutcome {
        of(reply, endpoint: endpoint, now: now, hiding: secrets) { success($0, rule) }
    }

    private static func success(_ reply: Reply, _ rule: OverlandSink.Configuration.SuccessRule) -> ReplyOutcome {
        switch rule {
        case .resultOK: return resultOK(reply)
        case .any2xx: return unlessPage(reply)
        case .bodyContains(let text):
            if String(decoding: reply.body, as: UTF8.self).contains(text) { return .acknowledged }
            return .failed(.retry(evidence: .silence), "HTTP \(reply.status) without the expected text in the body")
        }
    }

    /// Requires the body to be an object with `result` "ok". An object without it is a rejection by the receiver,
    /// perhaps because of one record. Any other body is not from a receiver of this format.
    private static func resultOK(_ reply: Reply) -> ReplyOutcome {
        let status = "HTTP \(reply.status)"
        if reply.isCut {
            return .failed(.retry(evidence: .silence), "\(status) with a body over \(Reply.maximumBodyLength) bytes")
        }
        if reply.body.isEmpty {
            return .failed(.retry(evidence: .silence), "\(status) with an empty body, expected result ok")
        }
        guard let json = JSONValue(ifReadable: reply.body) else {
            let what = reply.looksLikeAPage ? "a web page" : "a body that is not JSON"
            return .failed(.retry(evidence: .silence), "\(status) with \(what), expected result ok")
        }
        guard json.members != nil else {
            return .failed(.retry(evidence: .silence), "\(status) with JSON that is no object, expected result ok")
        }
        if json["result"]?.string == "ok" { return .acknowledged }
        if let error = json["error"]?.string, credentialComplaints.contains(error) {
            return .failed(.needsOperator, "\(status) that complains about the token")
        }
        return .failed(.retry(evidence: .failure), "\(status) with an object without result ok")
    }

    /// The errors with which Compass rejects a token at status 200.
    private static let credentialComplaints: Set<String> = ["no token provided", "invalid token"]
}
