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
        let verdict = ReplyOutcome.of(
            reply, rule: rules[Int(bytes[1]) % rules.count], endpoint: endpoint,
            now: Timestamp(nanosecondsSince1970: 1_780_000_000_000_000_000))
        if case .failed(_, let reason) = verdict { precondition(reason.utf8.count < 4096, "a reason without a bound") }
    }

    /// A template of a request: the first byte chooses the format and whether it is that of a batch, the rest is the text,
    /// which is also an address and a device's name.
    static let httpTemplate = FuzzTarget(name: "http-template") { bytes in
        guard let first = bytes.first else { return }
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        let formats = HTTPSink.Configuration.Format.allCases
        for url in ["https://receiver.example/%{latitude}/%{longitude}", "https://receiver.example/" + text] {
            var configuration = HTTPSink.Configuration(url: url, deviceID: DeviceID(rawValue: text))
            configuration.format = formats[Int(first) % formats.count]
            configuration.body = first < 128 ? text : nil
            configuration.record = first < 128 ? nil : text
            guard let template = try? RequestTemplate(configuration) else { continue }
            let fix = Fix(time: Timestamp(secondsSince1970: 1), coordinate: Coordinate(latitude: 1, longitude: 2))
            let draft = RecordDraft(id: RecordID(rawValue: 1), fix: fix, isMoving: true, cause: .first, source: "s")
            let record = TrackRecord(sequence: RecordSequence(rawValue: 1), draft: draft)
            let request = template.isBatch ? template.request(for: [record, record]) : template.request(for: record)
            guard let request, configuration.format == .json, !request.body.isEmpty else { continue }
            precondition(JSONValue(ifReadable: request.body) != nil, "a template of JSON makes something else")
        }
    }
}
