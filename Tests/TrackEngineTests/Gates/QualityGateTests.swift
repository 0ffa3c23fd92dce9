import Testing
import TrackEngine

@Suite struct QualityGateTests {
    static func pipeline(_ change: (inout RecordingConfiguration) -> Void = { _ in }) -> TrackPipeline {
        var configuration = RecordingConfiguration.calmGeo
        change(&configuration)
        return TrackPipeline(configuration, timeBase: .fixTime)
    }

    static func reason(_ decision: Decision) -> RejectionReason? {
        if case .reject(let reason) = decision { reason } else { nil }
    }

    @Test(
        "a coordinate that is none is refused",
        arguments: [(91, 0), (-90.1, 0), (0, 180.5), (.nan, 1), (1, .infinity)] as [(Double, Double)])
    func invalidCoordinate(_ latitude: Double, _ longitude: Double) {
        var pipeline = Self.pipeline()
        let fix = Fix(time: Road.start, coordinate: Coordinate(latitude: latitude, longitude: longitude))
        #expect(Self.reason(pipeline.process(fix, at: TrackInstant(fix.time))) == .invalidCoordinate)
    }

    @Test("null island is refused, its neighbours are not")
    func nullIsland() {
        var pipeline = Self.pipeline()
        let island = Fix(time: Road.start, coordinate: Coordinate(latitude: 0, longitude: -0.0))
        #expect(Self.reason(pipeline.process(island, at: TrackInstant(island.time))) == .nullIsland)
        let sea = Fix(time: Road.start, coordinate: Coordinate(latitude: 0, longitude: 0.0001))
        #expect(Self.reason(pipeline.process(sea, at: TrackInstant(sea.time))) == nil)
    }

    @Test("the same time twice and a step back are refused, and what follows is not")
    func order() {
        var pipeline = Self.pipeline()
        #expect(pipeline.feed(Road.fix(10)) == ["10: first, moves, motionchange"])
        #expect(pipeline.feed(Road.fix(10, metres: 500)) == ["10: duplicate-time"])
        #expect(pipeline.feed(Road.fix(9, metres: 500)) == ["9: backward-time"])
        #expect(pipeline.feed(Road.fix(11, metres: 500)) == ["11: distance, moves"])
    }

    @Test("a live receiver that stays in the past for a minute is believed to have put its clock right")
    func clockCorrection() {
        var pipeline = TrackPipeline(.calmGeo, timeBase: .arrival)
        func process(_ second: Double, arrival: Int64) -> RejectionReason? {
            Self.reason(
                pipeline.process(
                    Road.fix(second, metres: second), at: TrackInstant(nanoseconds: arrival * 1_000_000_000)))
        }
        #expect(process(100_000, arrival: 0) == nil)
        #expect(process(1, arrival: 1) == .backwardTime)
        #expect(process(60, arrival: 60) == .backwardTime)
        #expect(process(61, arrival: 61) == nil)
        #expect(process(62, arrival: 62) != .backwardTime)
    }

    @Test("stale, future, inaccurate and implausible fixes pass unless they are asked for")
    func offByDefault() {
        var pipeline = TrackPipeline(.calmGeo, timeBase: .arrival)
        let now = Road.start.advanced(by: .seconds(100_000))
        let decisions = [
            pipeline.process(Road.fix(0, accuracy: 5000), at: TrackInstant(nanoseconds: 0), wallClock: now),
            pipeline.process(Road.fix(1, metres: 90_000), at: TrackInstant(nanoseconds: 1), wallClock: now),
            pipeline.process(Road.fix(200_000, metres: 0), at: TrackInstant(nanoseconds: 2), wallClock: now),
        ]
        #expect(decisions.compactMap(Self.reason) == [])
    }

    @Test("with maximumAge and maximumLead the machine's time of day decides")
    func age() {
        var configuration = RecordingConfiguration.calmGeo
        configuration.maximumAge = .seconds(30)
        configuration.maximumLead = .seconds(5)
        var pipeline = TrackPipeline(configuration, timeBase: .arrival)
        func reason(_ second: Double, now: Double) -> RejectionReason? {
            Self.reason(
                pipeline.process(
                    Road.fix(second), at: TrackInstant(nanoseconds: 0), wallClock: Road.fix(now).time))
        }
        #expect(reason(0, now: 31) == .stale)
        #expect(reason(1, now: 31) == nil)
        #expect(reason(37, now: 31) == .future)
        #expect(reason(36, now: 31) == .tooNear)
    }

    @Test("minimumAccuracy is inclusive, and a fix without accuracy passes")
    func accuracy() {
        var pipeline = Self.pipeline { $0.minimumAccuracy = 50 }
        #expect(pipeline.feed(Road.fix(1, accuracy: 50.1)) == ["1: inaccurate"])
        #expect(pipeline.feed(Road.fix(2, accuracy: 50)) == ["2: first, moves, motionchange"])
        #expect(pipeline.feed(Road.fix(3, metres: 100)) == ["3: distance, moves"])
    }

    @Test("maximumSpeed refuses a jump and its way back, less what the accuracies explain")
    func impliedSpeed() {
        var pipeline = Self.pipeline { $0.maximumSpeed = 60 }
        #expect(pipeline.feed(Road.fix(0, accuracy: 10)) == ["0: first, moves, motionchange"])
        #expect(pipeline.feed(Road.fix(1, metres: 90, accuracy: 10)) == ["1: implausible-speed"])
        #expect(pipeline.feed(Road.fix(2, metres: 30, accuracy: 10)) == ["2: distance, moves"])
        #expect(pipeline.feed(Road.fix(3, metres: 105, accuracy: 10)) == ["3: distance, moves"])
    }
}
