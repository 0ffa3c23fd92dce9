import Testing
import TrackEngine

@Suite struct RecordingPresetTests {
    @Test(
        arguments: [
            (.miataru1, 3, 2), (.miataru2, 5, 5), (.miataru3, 10, 10), (.miataru4, 25, 20), (.miataru5, 50, 40),
        ] as [(RecordingPreset, Int, Double)])
    func `Miataru's levels take a fix that moved so far, or is so much more exact`(
        _ preset: RecordingPreset, _ metres: Int, _ gain: Double
    ) throws {
        let configuration = try RecordingConfiguration(preset).validated()
        #expect(configuration.preset == preset)
        var pipeline = TrackPipeline(configuration, timeBase: .fixTime)
        #expect(pipeline.feed(Road.fix(0, accuracy: 50)) == ["0: first, moves, motionchange"])
        let far = Double(metres)
        #expect(pipeline.feed(Road.fix(10, metres: far - 0.1, accuracy: 50.1 - gain)) == ["10: too-near"])
        #expect(pipeline.feed(Road.fix(20, metres: far + 0.1, accuracy: 50)) == ["20: distance, moves"])
        #expect(pipeline.feed(Road.fix(30, metres: far + 0.1, accuracy: 50 - gain)) == ["30: improved, moves"])
        // Speed stretches no distance.
        #expect(pipeline.feed(Road.fix(40, metres: 2 * far + 0.3, speed: 30, accuracy: 50)) == ["40: distance, moves"])
    }

    @Test func `and its gates refuse what the app refuses`() {
        var pipeline = TrackPipeline(RecordingConfiguration(.miataru2), timeBase: .arrival)
        func word(_ fix: Fix, now: Double) -> String? {
            let wallClock = Road.start.advanced(by: .seconds(now))
            let decision = pipeline.process(
                fix, at: TrackInstant(nanoseconds: Int64(now * 1e9)), wallClock: wallClock)
            return QualityGateTests.reason(decision)?.name
        }
        #expect(word(Road.fix(0, accuracy: 300), now: 600) == nil)
        #expect(word(Road.fix(1, accuracy: 300.1), now: 600) == "inaccurate")
        #expect(word(Road.fix(2, metres: 20), now: 602.1) == "stale")
        #expect(word(Road.fix(663, metres: 20), now: 602.9) == "future")
        #expect(word(Road.fix(602, metres: 20), now: 602) == nil)
        #expect(word(Road.fix(604, metres: 121), now: 604) == "implausible-speed")
        #expect(word(Road.fix(608, metres: 420), now: 608) == nil)
        #expect(word(Road.fix(728, metres: 1000), now: 728) == "unconfirmed-jump")
        #expect(word(Road.fix(730, metres: 1140), now: 730) == nil)
    }

    @Test func `a configuration has a preset only while all that it says holds`() {
        var configuration = RecordingConfiguration(.miataru3)
        configuration.stillAfter = .seconds(90)
        #expect(configuration.preset == .miataru3)
        configuration.maximumAge = nil
        #expect(configuration.preset == nil && RecordingConfiguration().preset == nil)
    }
}
