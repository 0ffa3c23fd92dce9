import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

@Suite struct RemoteValuesTests {
    private let wanted = [RemoteValue("tracking.distanceFilter", "50"), RemoteValue("log.level", "debug")]

    @Test func `a change is on trial until it is confirmed or undone`() {
        var kept = RemoteValues()
        kept.values = ["log.level": "info"]
        let trial = kept.changed(by: wanted)
        #expect(trial.values == ["tracking.distanceFilter": "50", "log.level": "debug"])
        #expect(trial.before == ["log.level": "info"])
        #expect(trial.confirmed.values == trial.values && trial.confirmed.before == nil)
        #expect(trial.undone == kept)
    }

    @Test func `it is read again as it was written`() {
        let trial = RemoteValues().changed(by: wanted)
        #expect(RemoteValues(trial.bytes) == trial)
        #expect(RemoteValues(trial.confirmed.bytes) == trial.confirmed)
    }

    @Test(arguments: [
        "", "[]", #"{"version":2,"values":{}}"#, #"{"version":1}"#, #"{"version":1,"values":{"tracking.interval":60}}"#,
        #"{"version":1,"values":{"sinks.0.url":"https://evil.example.org"}}"#, #"{"version":1,"values":{},"before":5}"#,
    ])
    func `what this program does not write is nothing`(_ text: String) {
        #expect(RemoteValues(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("tracking.distanceFilter", true), ("log.level", true), ("store.maxDaysToPersist", true),
        ("sinks.home.syncThreshold", false), ("sinks.0.url", false), ("store.path", false), ("device.id", false),
        ("tracking.stillAfter", true), ("tracking.autoSync", false), ("tracking.syncThreshold", false),
        ("tracking.httpTimeout", false), ("tracking.nothing", false), ("store.nothing", false),
        ("control.remoteKeys", false), ("control.socket", false), ("", false), ("store.encryption.key", false),
    ])
    func `only what is applied at once and is no channel can be changed from afar`(_ key: String, _ can: Bool) {
        #expect(RemoteValues.canChange(key) == can)
    }
}
