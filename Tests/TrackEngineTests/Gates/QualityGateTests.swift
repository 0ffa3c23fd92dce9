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
        arguments: [(91, 0), (-90.1, 0), (0, 180.5), (.nan, 1), (1, .infinity)] as [(Double, Double)])
    func `a coordinate that is none is refused`(_ latitude: Double, _ longitude: Double) {
        var pipeline = Self.pipeline()
        let fix = Fix(time: Road.start, coordinate: Coordinate(latitude: latitude, longitude: longitude))
        #expect(Self.reason(pipeline.process(fix, at: TrackInstant(fix.time))) == .invalidCoordinate)
    }

    @Test
    func `null island is refused, its neighbours are not`() {
        var pipeline = Self.pipeline()
        let island = Fix(time: Road.start, coordinate: Coordinate(latitude: 0, longitude: -0.0))
        #expect(Self.reason(pipeline.process(island, at: TrackInstant(island.time))) == .nullIsland)
        let sea = Fix(time: Road.start, coordinate: Coordinate(latitude: 0.0001, longitude: 0.0001))
        #expect(Self.reason(pipeline.process(sea, at: TrackInstant(sea.time))) == nil)
    }

    private static func place(_ second: Double, _ latitude: Double, _ longitude: Double) -> Fix {
        Fix(
            time: Road.fix(second).time, coordinate: Coordinate(latitude: latitude, longitude: longitude),
            horizontalAccuracy: 5)
    }

    @Test(
        arguments: [
            (52.5, 13.4, 0, 13.4, 1), (52.5, 13.4, 52.5, 0, 1), (-33.9, 151.2, -0.0, 151.2, 600),
            (51.5, -0.1, 51.5, 0, 1), (0.4, 32.6, 0, 32.6, 10), (52.5, 13.4, 0, 13.5, 10_000),
        ] as [(Double, Double, Double, Double, Double)])
    func `a place that has lost its latitude or longitude is refused as long as that lasts, by default`(
        _ latitude: Double, _ longitude: Double, _ lost: Double, _ other: Double, _ after: Double
    ) {
        var pipeline = TrackPipeline(RecordingConfiguration(), timeBase: .fixTime)
        func reason(_ second: Double, _ latitude: Double, _ longitude: Double) -> RejectionReason? {
            let fix = Self.place(second, latitude, longitude)
            return Self.reason(pipeline.process(fix, at: TrackInstant(fix.time)))
        }
        for index in -30...0 { #expect(reason(Double(index), latitude, longitude) != .nullIsland) }
        for index in 0..<20 { #expect(reason(after + Double(index) / 10, lost, other) == .nullIsland) }
        #expect(reason(after + 100, latitude + 0.01, longitude) != .nullIsland)
    }

    @Test(
        arguments: [
            (0.0001, 32, 0, 32, 10), (0.001, 32, 0, 33, 1), (51.5, 0.001, 51.5, 0, 1),
            (-0.18, 32, 0, 32, 60), (0.9, 32, 0, 32, 600),
        ] as [(Double, Double, Double, Double, Double)])
    func `a ship that crosses the equator or Greenwich may be on the line exactly, a plane too`(
        _ latitude: Double, _ longitude: Double, _ next: Double, _ other: Double, _ after: Double
    ) {
        var pipeline = TrackPipeline(RecordingConfiguration(), timeBase: .fixTime)
        for fix in [Self.place(0, latitude, longitude), Self.place(after, next, other)] {
            #expect(Self.reason(pipeline.process(fix, at: TrackInstant(fix.time))) != .nullIsland)
        }
    }

    @Test(
        arguments: [(0, 13.4), (52.5, 0)] as [(Double, Double)])
    func `a first fix that has lost its latitude or longitude is held back, and the good one behind it is not`(
        _ latitude: Double, _ longitude: Double
    ) {
        var pipeline = TrackPipeline(RecordingConfiguration(), timeBase: .fixTime)
        func reason(_ second: Double, _ latitude: Double, _ longitude: Double) -> RejectionReason? {
            let fix = Self.place(second, latitude, longitude)
            return Self.reason(pipeline.process(fix, at: TrackInstant(fix.time)))
        }
        for second in 0..<4 { #expect(reason(Double(second), latitude, longitude) == .nullIsland) }
        #expect(reason(60, 52.5, 13.4) == nil)
        #expect(reason(61, latitude, longitude) == .nullIsland)
        #expect(reason(120, 52.51, 13.4) == nil)
    }

    @Test
    func `five fixes in a row on the equator are believed, and one beside it at once`() {
        var pipeline = TrackPipeline(RecordingConfiguration(), timeBase: .fixTime)
        let reasons = (0..<6).map { second in
            let fix = Self.place(Double(second), 0, 32 + Double(second) / 1000)
            return Self.reason(pipeline.process(fix, at: TrackInstant(fix.time)))
        }
        #expect(reasons == [.nullIsland, .nullIsland, .nullIsland, .nullIsland, nil, nil])
        var other = TrackPipeline(RecordingConfiguration(), timeBase: .fixTime)
        let beside = Self.place(0, 0.000_01, 32)
        #expect(Self.reason(other.process(beside, at: TrackInstant(beside.time))) == nil)
    }

    @Test
    func `the same time twice and a step back are refused, and what follows is not`() {
        var pipeline = Self.pipeline()
        #expect(pipeline.feed(Road.fix(10)) == ["10: first, moves, motionchange"])
        #expect(pipeline.feed(Road.fix(10, metres: 500)) == ["10: duplicate-time"])
        #expect(pipeline.feed(Road.fix(9, metres: 500)) == ["9: backward-time"])
        #expect(pipeline.feed(Road.fix(11, metres: 500)) == ["11: distance, moves"])
    }

    @Test
    func `a live receiver that stays in the past for a minute is believed to have put its clock right`() {
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

    @Test
    func `stale, future, inaccurate and implausible fixes pass unless they are asked for`() {
        var pipeline = TrackPipeline(.calmGeo, timeBase: .arrival)
        let now = Road.start.advanced(by: .seconds(100_000))
        let decisions = [
            pipeline.process(Road.fix(0, accuracy: 5000), at: TrackInstant(nanoseconds: 0), wallClock: now),
            pipeline.process(Road.fix(1, metres: 90_000), at: TrackInstant(nanoseconds: 1), wallClock: now),
            pipeline.process(Road.fix(200_000, metres: 0), at: TrackInstant(nanoseconds: 2), wallClock: now),
        ]
        #expect(decisions.compactMap(Self.reason) == [])
    }

    @Test
    func `with maximumAge and maximumLead the machine's time of day decides`() {
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

    @Test
    func `minimumAccuracy is inclusive, and a fix without accuracy passes`() {
        var pipeline = Self.pipeline { $0.minimumAccuracy = 50 }
        #expect(pipeline.feed(Road.fix(1, accuracy: 50.1)) == ["1: inaccurate"])
        #expect(pipeline.feed(Road.fix(2, accuracy: 50)) == ["2: first, moves, motionchange"])
        #expect(pipeline.feed(Road.fix(3, metres: 100)) == ["3: distance, moves"])
    }

    @Test
    func `minimumSatellites is inclusive, and a fix without their number passes`() {
        var pipeline = Self.pipeline { $0.minimumSatellites = 5 }
        func fix(_ second: Double, metres: Double = 0, _ satellites: UInt8?) -> Fix {
            let road = Road.fix(second, metres: metres)
            return Fix(time: road.time, coordinate: road.coordinate, satellitesUsed: satellites)
        }
        #expect(pipeline.feed(fix(1, 4)) == ["1: inaccurate"])
        #expect(pipeline.feed(fix(2, 5)) == ["2: first, moves, motionchange"])
        #expect(pipeline.feed(fix(3, metres: 100, nil)) == ["3: distance, moves"])
    }

    @Test
    func `maximumSpeed refuses a jump and its way back, less what the accuracies explain`() {
        var pipeline = Self.pipeline { $0.maximumSpeed = 60 }
        #expect(pipeline.feed(Road.fix(0, accuracy: 10)) == ["0: first, moves, motionchange"])
        #expect(pipeline.feed(Road.fix(1, metres: 90, accuracy: 10)) == ["1: implausible-speed"])
        #expect(pipeline.feed(Road.fix(2, metres: 30, accuracy: 10)) == ["2: distance, moves"])
        #expect(pipeline.feed(Road.fix(3, metres: 105, accuracy: 10)) == ["3: distance, moves"])
    }
}
