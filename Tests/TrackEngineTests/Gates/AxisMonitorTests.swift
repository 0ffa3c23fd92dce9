import Testing
import TrackEngine

/// Positions on the equator or the meridian of Greenwich that are far from the last known one.
@Suite struct AxisMonitorTests {
    private static func fix(_ second: Double, _ latitude: Double, _ longitude: Double) -> Fix {
        Fix(time: Road.fix(second).time, coordinate: Coordinate(latitude: latitude, longitude: longitude))
    }

    /// The numbers of the fixes that the gates let pass.
    private static func passed(_ fixes: [Fix], through pipeline: inout TrackPipeline) -> [Int] {
        fixes.indices.filter { index in
            if case .reject(let reason) = pipeline.process(fixes[index], at: TrackInstant(fixes[index].time)) {
                return !reason.isOfGates
            }
            return true
        }
    }

    /// A drive of 31 fixes elsewhere, before the vehicle comes to a line.
    private static func drive(_ latitude: Double, _ longitude: Double) -> [Fix] {
        (-30...0).map { fix(Double($0), latitude + Double($0) * 1e-4, longitude) }
    }

    @Test(
        arguments: [(1.3, 32.5, 0, 32.5, 7200), (52.5, 13.4, 51.5, 0, 36_000)]
            as [(Double, Double, Double, Double, Double)])
    func `After a long way the fifth fix on a line is believed, also with a maximum speed`(
        _ latitude: Double, _ longitude: Double, _ line: Double, _ other: Double, _ after: Double
    ) {
        let stay = (0..<8).map { Self.fix(after + Double($0), line, other) }
        for maximum in [nil, 350.0] {
            var configuration = RecordingConfiguration()
            configuration.maximumSpeed = maximum
            var pipeline = TrackPipeline(configuration, timeBase: .fixTime)
            _ = Self.passed(Self.drive(latitude, longitude), through: &pipeline)
            #expect(Self.passed(stay, through: &pipeline) == [4, 5, 6, 7])
        }
    }

    @Test func `Fixes that do not agree with each other are not believed, and a good one begins the count anew`() {
        var pipeline = TrackPipeline(RecordingConfiguration(), timeBase: .fixTime)
        _ = Self.passed(Self.drive(1.3, 32.5), through: &pipeline)
        let wild = (0..<12).map { Self.fix(7200 + Double($0), 0, $0 % 2 == 0 ? 32.5 : 80) }
        #expect(Self.passed(wild, through: &pipeline) == [])
        let lost = (0..<12).map { Self.fix(7300 + Double($0), $0 % 4 == 3 ? 1.3 : 0, 32.5) }
        #expect(Self.passed(lost, through: &pipeline) == [3, 7, 11])
    }

    @Test func `A single wild fix does not outweigh five on a line out of its reach`() {
        var pipeline = TrackPipeline(RecordingConfiguration(), timeBase: .fixTime)
        _ = Self.passed([Self.fix(0, 48, 32.5)], through: &pipeline)
        #expect(Self.passed((1..<8).map { Self.fix(Double($0), 0, 32.5) }, through: &pipeline) == [4, 5, 6])
    }

    @Test(arguments: [false, true])
    func `Positions of a device in any order are believed from the fifth on`(_ isBackward: Bool) {
        var places = DevicePositions()
        let fixes = (0..<8).map { Self.fix(Double($0) * 60, 0, 32.5 + Double($0) / 1000) }
        let isBesideAccepted = places.accepts(Self.fix(isBackward ? 14_400 : -14_400, 1.3, 32.5))
        #expect(isBesideAccepted)
        let answers = (isBackward ? fixes.reversed() : fixes).map { places.accepts($0) }
        #expect(answers == [false, false, false, false, true, true, true, true])
    }

    @Test func `A repeated position of a device neither counts nor ends the run`() {
        var places = DevicePositions()
        let fixes = (0..<6).map { Self.fix(Double($0), 0, 32.5) }
        let answers = fixes.map { fix in (places.accepts(fix), places.accepts(fix)) }
        #expect(answers.map { $0.0 } == [false, false, false, false, true, true])
        #expect(answers.map { $0.1 } == [false, false, false, false, true, true])
    }

    @Test func `The first positions of a device are believed from the fifth on, also newest first`() {
        var places = DevicePositions()
        let answers = (0..<6).map { places.accepts(Self.fix(-Double($0), 0, 32.5)) }
        #expect(answers == [false, false, false, false, true, true])
    }

    @Test func `Several positions that are sent again and again do not count again`() {
        var places = DevicePositions()
        let fixes = (0..<4).map { Self.fix(Double($0), 48.1, 0) }
        let answers = (0..<12).map { places.accepts(fixes[$0 % 4]) }
        #expect(!answers.contains(true))
        let next = places.accepts(Self.fix(4, 48.1, 0))
        #expect(next)
    }

    @Test func `After a position of an earlier run a lost axis out of reach needs the most votes`() {
        var places = DevicePositions(after: Self.fix(0, 53.5, 10))
        let answers = (1...61).map { places.accepts(Self.fix(Double($0), 53.5, 0)) }
        #expect(answers.firstIndex(of: true) == 59)
    }
}
