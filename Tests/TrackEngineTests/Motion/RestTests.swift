import Testing
import TrackEngine

/// Silence is not rest: what the motion states make of sources that speak seldom, or not at all.
@Suite("Rest")
struct RestTests {
    /// One fix each `step` seconds, `metres` apart.
    static func travel(_ count: Int, each step: Double, metres: Double, speed: Double?) -> [Fix] {
        (0..<count).map { Road.fix(Double($0) * step, metres: Double($0) * metres, speed: speed) }
    }

    @Test(arguments: RecordingRule.allCases)
    func `fixes 65 s apart at 30 m/s are all recorded, and none of them is a stop`(_ rule: RecordingRule) {
        var pipeline = MotionTests.pipeline {
            ($0.record, $0.interval) = (rule, .seconds(60))
            $0.maximumInterval = .seconds(60)
        }
        var words = Self.travel(200, each: 65, metres: 1950, speed: 30).flatMap { pipeline.feedLate($0) }
        pipeline.decideAll { words.append($1.inWords(at: TrackInstant($0.time))) }
        #expect(words.count { $0.contains("rests") } == 0)
        #expect(words.count == 200 || rule == .deviation)
    }

    @Test
    func `fixes 61 s and 30 m apart are recorded as overdue, each of them, and none is a stop`() {
        var pipeline = MotionTests.pipeline()
        let words = pipeline.feed(Self.travel(100, each: 61, metres: 30, speed: 5))
        #expect(words == ["0: first, moves, motionchange"] + (1..<100).map { "\($0 * 61): elapsed, moves" })
    }

    @Test
    func `after the last fix nothing is invented: no stop and no standby, however long the silence`() {
        var pipeline = MotionTests.pipeline()
        _ = pipeline.feed(Road.fix(0, speed: 10))
        _ = pipeline.feed(Road.fix(1, metres: 10, speed: 10))
        #expect(pipeline.timeout(at: TrackInstant(Road.fix(60).time)) == nil)
        #expect(pipeline.deadline == nil)
        #expect(pipeline.isMoving)
        #expect(!pipeline.isStandby)
    }

    @Test
    func `a near fix that breaks a silence shows that it rests`() {
        var pipeline = MotionTests.pipeline()
        #expect(pipeline.feed(Road.fix(0, speed: 0)) == ["0: first, moves, motionchange"])
        #expect(pipeline.feed(Road.fix(200, metres: 5, speed: 0)) == ["200: too-near"])
        #expect(pipeline.deadline == TrackInstant(Road.fix(200).time))
        #expect(
            pipeline.feed(Road.fix(201, metres: 5, speed: 0))
                == ["200: still, rests, motionchange", "200: standby", "201: standby"])
    }

    @Test
    func `a near fix soon after the last record does not show that it rests a minute later`() {
        var pipeline = MotionTests.pipeline()
        _ = pipeline.feed(Road.fix(0, speed: 2))
        _ = pipeline.feed(Road.fix(2, metres: 4, speed: 2))
        #expect(pipeline.feed(Road.fix(300, metres: 600, speed: 2)) == ["300: distance, moves"])
    }

    @Test
    func `a fix that reports a vehicle's speed never shows rest, one after it may`() {
        var pipeline = MotionTests.pipeline()
        let words = pipeline.feed((0...100).map { Road.fix(Double($0), metres: Double($0 % 2) * 5, speed: 2.5) })
        #expect(words == ["0: first, moves, motionchange"])
        #expect(pipeline.feed(Road.fix(101, metres: 5, speed: 2.4)) == ["101: too-near"])
        #expect(pipeline.feed(Road.fix(102, speed: 2.5)).first == "101: still, rests, motionchange")
    }

    @Test
    func `a source that is asked for one fix a minute is given a minute and a half`() {
        var configuration = RecordingConfiguration.calmGeo
        configuration.desiredAccuracy = .threeKilometers
        var pipeline = TrackPipeline(configuration, timeBase: .arrival)
        func moment(_ seconds: Double) -> TrackInstant { TrackInstant(nanoseconds: Int64(seconds * 1e9)) }
        _ = pipeline.process(Road.fix(0, speed: 30), at: moment(0))
        #expect(pipeline.deadline == moment(90))
        _ = pipeline.process(Road.fix(60, speed: 0), at: moment(60.5))
        #expect(pipeline.timeout(at: moment(61)) == nil)
        #expect(
            pipeline.timeout(at: moment(90))?.inWords(at: moment(0)).hasSuffix("still, rests, motionchange") == true)
        #expect(pipeline.deadline == moment(120))
    }

    // MARK: Bounded

    @Test(arguments: RecordingRule.allCases)
    func `with distanceFilter 0 a parked thing comes to rest as with any other`(_ rule: RecordingRule) {
        var pipeline = MotionTests.pipeline { ($0.distanceFilter, $0.record) = (0, rule) }
        let words = (0...1000).flatMap { pipeline.feedLate(Road.fix(Double($0), speed: 0)) }
        #expect(words == ["0: first, moves, motionchange", "60: still, rests, motionchange"])
        #expect(pipeline.isStandby)
    }

    @Test(
        arguments: [183.0, 16_790], RecordingRule.allCases)
    func `between two fixes time makes at most two decisions, however far apart they are`(
        _ days: Double, _ rule: RecordingRule
    ) {
        for base in [0, 16] {
            var pipeline = MotionTests.pipeline { ($0.distanceFilter, $0.record) = (base, rule) }
            _ = pipeline.feedLate(Road.fix(-40))
            _ = pipeline.feedLate(Road.fix(0, metres: 5))
            var decisions = 0
            let next = Road.fix(days * 86_400, metres: 100_000)
            while decisions < 1000, let due = pipeline.nextTimeout(before: next) {
                pipeline.timeout(at: due) { _, _ in }
                decisions += 1
            }
            #expect(decisions <= 3)
        }
    }
}
