import Testing
import TrackEngine

/// The rules of Traccar and of OwnTracks for Android, in seconds, metres and degrees worked out by hand.
@Suite("Rules any and all")
struct CombinedRuleTests {
    private func pipeline(_ change: (inout RecordingConfiguration) -> Void) -> TrackPipeline {
        var configuration = RecordingConfiguration()
        configuration.disableSpeedMultiplier = true
        configuration.distanceFilter = 100
        change(&configuration)
        return TrackPipeline(configuration, timeBase: .fixTime)
    }

    /// 10 m/s to the north, with a course of its own.
    private func fix(_ second: Double, course: Double = 0, speed: Double = 10) -> Fix {
        Fix(
            time: Road.fix(second).time, coordinate: Road.fix(second, metres: second * 10).coordinate, speed: speed,
            course: course)
    }

    @Test
    func `any: the distance, or the interval, whichever comes first`() {
        var far = pipeline { ($0.record, $0.interval) = (.any, .seconds(30)) }
        #expect(
            (0...12).flatMap { far.feedLate(fix(Double($0))) } == [
                "0: first, moves, motionchange", "11: distance, moves",
            ])
        var late = pipeline { ($0.record, $0.interval) = (.any, .seconds(5)) }
        #expect(
            (0...11).flatMap { late.feedLate(fix(Double($0))) } == [
                "0: first, moves, motionchange", "5: interval, moves", "10: interval, moves",
            ])
    }

    @Test(
        arguments: [
            (350.0, 10.0, true), (10, 350, true), (350, 9, false), (90, 270, true), (0, 20, true), (0, 19, false),
        ])
    func `any: a turn counts the short way around`(_ before: Double, _ after: Double, _ isKept: Bool) {
        var pipeline = pipeline { ($0.record, $0.angle) = (.any, 20) }
        _ = pipeline.feedLate(fix(0, course: before))
        #expect(pipeline.feedLate(fix(1, course: after)) == (isKept ? ["1: turn, moves"] : []))
    }

    @Test
    func `any: the course of a thing that hardly moves is noise`() {
        var pipeline = pipeline { ($0.record, $0.angle) = (.any, 20) }
        _ = pipeline.feedLate(fix(0, course: 0))
        #expect(pipeline.feedLate(fix(1, course: 180, speed: 0.9)) == [])
        #expect(pipeline.feedLate(fix(2, course: 180, speed: 1)) == ["2: turn, moves"])
    }

    @Test
    func `all: distance and interval and turn, as far as they are set`() {
        var two = pipeline { ($0.record, $0.interval) = (.all, .seconds(15)) }
        #expect((0...20).flatMap { two.feedLate(fix(Double($0))) }.last == "15: distance, moves")
        var three = pipeline { ($0.record, $0.interval, $0.angle) = (.all, .seconds(15), 45) }
        let words = (0...40).flatMap { three.feedLate(fix(Double($0), course: $0 < 30 ? 0 : 50)) }
        #expect(words == ["0: first, moves, motionchange", "30: distance, moves"])
        var one = pipeline { $0.record = .all }
        #expect((0...12).flatMap { one.feedLate(fix(Double($0))) }.last == "11: distance, moves")
    }

    @Test
    func `an interval alone keeps no thing from coming to rest, nor does it record one at rest`() {
        var pipeline = pipeline { ($0.record, $0.interval) = (.any, .seconds(25)) }
        let words = (0...400).flatMap { pipeline.feedLate(Road.fix(Double($0), speed: 0)) }
        #expect(
            words == [
                "0: first, moves, motionchange", "25: interval, moves", "50: interval, moves",
                "60: still, rests, motionchange",
            ])
        #expect(pipeline.isStandby)
        #expect(pipeline.feedLate(Road.fix(401, metres: 101, speed: 10)) == ["401: departed, moves, motionchange"])
    }
}
