import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

@Suite struct RemoteValuesTests {
    private let wanted = [RemoteValue("tracking.distanceFilter", "50"), RemoteValue("log.level", "debug")]

    private let now = Timestamp(secondsSince1970: 1_772_359_200)  // 2026-03-01T10:00:00Z
    private var end: Timestamp { now.advanced(by: .seconds(300)) }

    @Test func `a change is on trial until it is confirmed or undone`() {
        var kept = RemoteValues()
        kept.values = ["log.level": .init("info")]
        let trial = kept.changed(by: wanted, now: now, end: end)
        #expect(trial.texts == ["tracking.distanceFilter": "50", "log.level": "debug"])
        #expect(trial.trial?.before == ["log.level": .init("info")] && trial.values["log.level"]?.since == now)
        #expect(trial.confirmed.values == trial.values && trial.confirmed.trial == nil)
        #expect(trial.undone == kept)
    }

    @Test func `it is read again as it was written, and as an earlier version has written it`() {
        let trial = RemoteValues().changed(by: wanted, now: now, end: end)
        #expect(RemoteValues(trial.bytes) == trial)
        #expect(RemoteValues(trial.confirmed.bytes) == trial.confirmed)
        let earlier = #"{"version":1,"values":{"log.level":"debug"},"before":{"log.level":"info"}}"#
        let read = RemoteValues(Array(earlier.utf8))
        #expect(read?.texts == ["log.level": "debug"] && read?.values["log.level"]?.since == nil)
        #expect(read?.trial?.before == ["log.level": .init("info")] && read?.trial?.end == nil)
    }

    @Test func `a value that stays keeps its time, and one that is taken back is gone`() {
        let first = RemoteValues().changed(by: wanted, now: now, end: end).confirmed
        let again = first.changed(
            by: [RemoteValue("log.level", "debug"), RemoteValue("tracking.distanceFilter", "asConfigured")],
            now: end, end: end)
        #expect(again.values == ["log.level": .init("debug", since: now)])
    }

    @Test func `clearing takes keys out of what holds and of what held before, and ends a trial of nothing`() {
        var kept = RemoteValues()
        kept.values = ["log.level": .init("info")]
        let trial = kept.changed(by: wanted, now: now, end: end)
        let without = trial.cleared(of: ["log.level"])
        #expect(without.texts == ["tracking.distanceFilter": "50"] && without.trial?.before == [:])
        let rest = trial.cleared(of: ["tracking.distanceFilter"])
        #expect(rest.trial?.before == ["log.level": .init("info")])
        #expect(trial.cleared(of: trial.keys) == RemoteValues())
    }

    @Test func `an operator sees each value, since when, and until when it is on trial`() {
        var kept = RemoteValues()
        kept.values = ["log.level": .init("debug", since: now)]
        let trial = kept.changed(by: [wanted[0], RemoteValue("log.level", "asConfigured")], now: now, end: end)
        #expect(
            RemoteStatus(trial, problem: "a problem").lines == [
                "log.level = as configured, on trial until 2026-03-01T10:05:00Z",
                "tracking.distanceFilter = 50 since 2026-03-01T10:00:00Z, on trial until 2026-03-01T10:05:00Z",
                "a problem",
            ])
        let json = RemoteStatus(trial).json
        #expect(json?["values"]?["tracking.distanceFilter"]?["value"]?.string == "50")
        #expect(json?["values"]?["tracking.distanceFilter"]?["onTrial"]?.boolean == true)
        #expect(json?["until"]?.string == "2026-03-01T10:05:00.000Z" && json?["problem"] == nil)
        #expect(RemoteStatus().json == nil)
    }

    /// Values whose file has so many bytes.
    private func values(_ length: Int) -> RemoteValues {
        var values = RemoteValues()
        values.values["log.level"] = RemoteValues.Entry("")
        let rest = length - values.bytes.count
        values.values["log.level"] = RemoteValues.Entry(String(repeating: "x", count: rest))
        return values
    }

    @Test func `no more values are written than are read again, and those of before stay`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let file = RemoteFile(in: folder)
            let longest = values(65_536)
            #expect(longest.bytes.count == 65_536)
            try file.write(longest)
            #expect(file.content() == .values(longest))
            let problem = #expect(throws: FileProblem.self) { try file.write(values(65_537)) }
            #expect(problem?.code == EFBIG)
            #expect(file.content() == .values(longest))
        }
    }

    @Test func `no key that can be changed holds a secret`() throws {
        let configuration = try Given.configuration(Given.everything)
        #expect(!configuration.secrets.isEmpty)
        for secret in configuration.secrets { #expect(!RemoteValues.canChange(secret.key)) }
    }

    @Test(arguments: [
        "", "[]", #"{"version":2,"values":{}}"#, #"{"version":1}"#, #"{"version":1,"values":{"tracking.interval":60}}"#,
        #"{"version":1,"values":{"sinks.0.url":"https://evil.example.org"}}"#, #"{"version":1,"values":{},"before":5}"#,
    ])
    func `what this program does not write is nothing`(_ text: String) {
        #expect(RemoteValues(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("tracking.distanceFilter", true), ("log.level", true), ("store.maxDaysToPersist", false),
        ("sinks.home.syncThreshold", false), ("sinks.0.url", false), ("store.path", false), ("device.id", false),
        ("tracking.stillAfter", true), ("tracking.autoSync", false), ("tracking.syncThreshold", false),
        ("tracking.httpTimeout", false), ("tracking.nothing", false), ("store.nothing", false),
        ("store.maxRecords", false), ("store.maxBytes", false), ("events.places", false), ("events.visits", false),
        ("control.remoteKeys", false), ("control.socket", false), ("", false), ("store.encryption.key", false),
    ])
    func `only what is applied at once and is no channel can be changed from afar`(_ key: String, _ can: Bool) {
        #expect(RemoteValues.canChange(key) == can)
    }
}
