import Testing
import TrackEngine
import TrackEngineAgent

@Suite struct TrackingPresetTests {
    @Test func `a preset sets what it is about, and keys beside it hold wherever they stand`() throws {
        let tracking = try Given.configuration(
            "tracking: {maximumJump: null, distanceFilter: 8, preset: miataru-3, standbyAfter: 300}"
        ).tracking
        var expected = RecordingConfiguration(.miataru3)
        expected.maximumJump = nil
        expected.distanceFilter = 8
        expected.standbyAfter = .seconds(300)
        #expect(tracking == expected)
    }

    @Test func `what is in force is printed under its name, and key by key`() throws {
        let yaml = try Given.configuration("tracking: {preset: miataru-1}").effectiveYAML
        #expect(yaml.contains("preset: miataru-1\n") && yaml.contains("accuracyGain: 2\n"))
        let changed = try Given.configuration("tracking: {preset: miataru-1, distanceFilter: 4}").effectiveYAML
        #expect(changed.contains("preset: null\n") && changed.contains("accuracyGain: 2\n"))
    }

    @Test func `other words are refused, and null is none`() throws {
        #expect(
            Given.problems("tracking: {preset: miataru-6}").map { $0.prefix(80) }.first?.contains("miataru-1") == true)
        #expect(try Given.configuration("tracking: {preset: null}").tracking == RecordingConfiguration())
    }
}
