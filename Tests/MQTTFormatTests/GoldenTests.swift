import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT

/// What each format makes of the samples, as it was recorded: `Golden/FORMAT.chk`.
@Suite("Golden files")
struct GoldenTests {
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Golden/"

    @Test(arguments: RecordFormat.allCases)
    func `every format gives the bytes that were recorded`(_ format: RecordFormat) throws {
        try expectRecorded(Self.text(of: format), in: Self.directory + format.rawValue + ".chk")
    }

    private static func text(of format: RecordFormat) throws -> String {
        let made = try Samples.format(format)
        let health = SinkHealth(
            queued: 12, lastSuccess: Samples.full.fix.time, host: Samples.charging.host)
        return section("announcements", made.announcements.map { RecordMessage($0, recordCount: 0) })
            + section("records", made.messages(for: Samples.all, isBacklog: false))
            + section("records of a backlog", made.messages(for: [Samples.full, Samples.rest], isBacklog: true))
            + section(
                "events", made.messages(for: Samples.events.filter { made.kinds.contains($0.kind) }, isBacklog: false))
            + section("at places and on a trip", made.messages(for: Samples.located, isBacklog: false))
            + section("latest", made.latest(Samples.full).map { [RecordMessage($0, recordCount: 0)] } ?? [])
            + section("health", made.health(health).map { [RecordMessage($0, recordCount: 0)] } ?? [])
            + section("health, unknown", made.health(SinkHealth()).map { [RecordMessage($0, recordCount: 0)] } ?? [])
    }

    /// A title, then for each message a line of facts, one of properties and one of payload.
    private static func section(_ title: String, _ messages: [RecordMessage]) -> String {
        guard !messages.isEmpty else { return "" }
        let lines = messages.map { sent in
            let message = sent.message
            let properties = message.userProperties.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
            return """
                \(message.topic)\(message.isRetained ? " retained" : "") records=\(sent.recordCount)
                \(message.contentType ?? "no content type") \(properties)
                \(message.text)

                """
        }
        return "== \(title)\n" + lines.joined() + "\n"
    }
}
