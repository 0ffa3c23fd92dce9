import HTTPDelivery
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

extension FuzzTarget {
    /// What a receiver answers: the first byte chooses status and rule, a line each for `Retry-After` and `Location`, the
    /// rest is the body.
    static let httpReply = FuzzTarget(name: "http-reply") { bytes in
        guard bytes.count >= 2, let endpoint = try? Endpoint("https://receiver.example/in?token=t") else { return }
        let rules: [OverlandSink.Configuration.SuccessRule] = [.resultOK, .any2xx, .bodyContains("ok")]
        let status = 100 + Int(bytes[0]) * 2
        let parts = bytes.dropFirst(2).split(
            separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        var reply = Reply(status: status, body: Array(parts.last ?? []))
        if parts.count > 1 { reply.retryAfter = String(decoding: parts[0], as: UTF8.self) }
        if parts.count > 2 { reply.location = String(decoding: parts[1], as: UTF8.self) }
        let verdict = ReplyVerdict.of(
            reply, rule: rules[Int(bytes[1]) % rules.count], endpoint: endpoint,
            now: Timestamp(nanosecondsSince1970: 1_780_000_000_000_000_000))
        if case .failed(_, let reason) = verdict { precondition(reason.utf8.count < 4096, "a reason without a bound") }
    }
}
