import TestSupport
import Testing
import TrackEngine

@Suite struct RecordingConfigurationTests {
    @Test
    func `records as CalmGeo does when nothing is configured`() {
        let configuration = RecordingConfiguration()
        #expect(configuration == .calmGeo)
        #expect(configuration == CalmGeoConfiguration().recording)
        #expect(configuration.stillAfter == .seconds(60))
        #expect(configuration.standbyAfter == .seconds(120))
        #expect(configuration.minimumAccuracy == nil)
        #expect(configuration.requiredMotionDuration == nil)
        #expect(configuration.maximumThreshold == nil)
        #expect(throws: Never.self) { try configuration.validated() }
    }

    @Test
    func `all problems are told at once, each with key, value and expectation`() {
        var configuration = RecordingConfiguration.calmGeo
        configuration.distanceFilter = -1
        configuration.speedMultiplier = .nan
        configuration.stationaryRadius = 0
        configuration.minimumAccuracy = -5
        configuration.stillAfter = .seconds(90)
        configuration.standbyAfter = .seconds(60)
        configuration.maximumThreshold = .infinity
        let error = #expect(throws: ConfigurationError.self) { try configuration.validated() }
        expectMessages(
            error?.problems.map(\.description),
            begin: [
                "distanceFilter", "speedMultiplier", "stationaryRadius", "minimumAccuracy", "maximumThreshold",
                "standbyAfter",
            ])
    }

    @Test
    func `every value has a setting, in a table without duplicates`() {
        func names(_ configuration: Any) -> [String] {
            Mirror(reflecting: configuration).children.compactMap(\.label).sorted()
        }
        #expect(RecordingConfiguration.settings.map(\.name).sorted() == names(RecordingConfiguration()))
        #expect(RetentionConfiguration.settings.map(\.name).sorted() == names(RetentionConfiguration()))
        #expect((SyncConfiguration.settings.map(\.name) + ["backoff"]).sorted() == names(SyncConfiguration()))
        #expect(Backoff.settings.map(\.name).sorted() == names(Backoff()))
    }

    @Test
    func `the recording rules have bounds`() {
        var configuration = RecordingConfiguration.calmGeo
        #expect(configuration.record == .distance)
        configuration.maximumDeviation = 0
        configuration.maximumAltitudeDeviation = .nan
        configuration.maximumInterval = .seconds(-1)
        configuration.interval = .milliseconds(50)
        configuration.angle = 181
        let error = #expect(throws: ConfigurationError.self) { try configuration.validated() }
        expectMessages(
            error?.problems.map(\.description),
            begin: ["maximumDeviation", "maximumAltitudeDeviation", "maximumInterval", "interval", "angle"])
    }

    @Test
    func `retention and sync have bounds too`() {
        #expect(throws: ConfigurationError.self) { try RetentionConfiguration(maxBytes: 1000).validated() }
        #expect(throws: ConfigurationError.self) { try RetentionConfiguration(keepSyncedDays: -1).validated() }
        #expect(throws: Never.self) { try RetentionConfiguration(maxBytes: 1_048_576).validated() }
        #expect(throws: ConfigurationError.self) {
            try SyncConfiguration(backoff: Backoff(maximum: .zero)).validated()
        }
    }
}
