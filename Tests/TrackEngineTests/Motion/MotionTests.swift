import Testing
import TrackEngine

/// CalmGeo's intent with the mends of the specification: what is recorded when, on the fixes' own time.
@Suite struct MotionTests {
    static func pipeline(_ change: (inout RecordingConfiguration) -> Void = { _ in }) -> TrackPipeline {
        var configuration = RecordingConfiguration.calmGeo
        change(&configuration)
        return TrackPipeline(configuration, timeBase: .fixTime)
    }

    /// One fix a second on the spot.
    static func parked(_ seconds: ClosedRange<Int>, metres: Double = 0, speed: Double? = 0) -> [Fix] {
        seconds.map { Road.fix(Double($0), metres: metres, speed: speed) }
    }

    @Test
    func `the first fix is a motion change to moving, even on a desk`() {
        var pipeline = Self.pipeline()
        #expect(pipeline.feed(Road.fix(0, speed: 0)) == ["0: first, moves, motionchange"])
        #expect(pipeline.isMoving)
    }

    @Test
    func `parked: still a minute after the last record, standby two minutes after`() {
        var pipeline = Self.pipeline()
        let words = pipeline.feed(Self.parked(0...300)).filter { !$0.hasSuffix(": standby") || $0 == "120: standby" }
        #expect(words == ["0: first, moves, motionchange", "60: still, rests, motionchange", "120: standby"])
        #expect(pipeline.isStandby)
        #expect(!pipeline.isMoving)
    }

    @Test
    func `the still record is made at the latest fix, which lies at the deadline itself if one came then`() throws {
        var pipeline = Self.pipeline()
        for fix in Self.parked(0...60) { _ = pipeline.feed(fix) }
        guard case .record? = pipeline.timeout(at: TrackInstant(Road.fix(60).time)) else {
            Issue.record("still is due at 60 s")
            return
        }
        #expect(pipeline.latest?.time == Road.fix(60).time)
    }

    @Test
    func `once a near fix has shown it, still and standby come although no further fix arrives`() throws {
        var pipeline = Self.pipeline()
        _ = pipeline.feed(Road.fix(0))
        _ = pipeline.feed(Road.fix(31))
        let still = try #require(pipeline.deadline)
        #expect(still == TrackInstant(Road.fix(60).time))
        #expect(pipeline.timeout(at: TrackInstant(Road.fix(59.999).time)) == nil)
        #expect(pipeline.timeout(at: still)?.inWords(at: still) == "60: still, rests, motionchange")
        let standby = try #require(pipeline.deadline)
        #expect(pipeline.timeout(at: standby)?.inWords(at: standby) == "120: standby")
        #expect(pipeline.deadline == nil)
    }

    @Test
    func `driving at a steady speed records at each threshold and never rests`() {
        var pipeline = Self.pipeline()
        // 10 m/s: the threshold is 99.2 m, so every tenth second's fix (100 m) is recorded.
        let words = pipeline.feed((0...100).map { Road.fix(Double($0), metres: Double($0) * 10, speed: 10) })
        let expected = ["0: first, moves, motionchange"] + (1...10).map { "\($0 * 10): distance, moves" }
        #expect(words == expected)
    }

    @Test
    func `travel that is too slow for its reported speed is recorded once it is overdue and the base distance away`() {
        var pipeline = Self.pipeline()
        // 0.5 m/s over ground, but 30 m/s reported: the threshold would be 297.6 m.
        let words = pipeline.feed((0...130).map { Road.fix(Double($0), metres: Double($0) * 0.5, speed: 30) })
        #expect(words == ["0: first, moves, motionchange", "60: elapsed, moves", "120: elapsed, moves"])
    }

    @Test
    func `after a rest, travel below the scaled threshold still counts once it is overdue`() {
        var pipeline = Self.pipeline { $0.standbyAfter = .zero }
        _ = pipeline.feed(Self.parked(0...100))
        // Still since 60, last moved at 0. From 101 on 20 m away with a reported 10 m/s: below 99.2 m, but overdue.
        let words = pipeline.feed((101...125).map { Road.fix(Double($0), metres: 20, speed: 10) })
        #expect(words == ["101: elapsed, moves, motionchange"])
    }

    @Test
    func `leaving a place of rest by the filter's distance is a motion change`() {
        var pipeline = Self.pipeline()
        _ = pipeline.feed(Self.parked(0...90))
        #expect(pipeline.feed(Road.fix(91, metres: 16.5, speed: 1)) == ["91: distance, moves, motionchange"])
    }

    @Test
    func `standby ends outside the radius, not by noise within a fix's accuracy`() {
        var pipeline = Self.pipeline()
        _ = pipeline.feed(Self.parked(0...130))
        #expect(pipeline.feed(Road.fix(131, metres: 24)) == ["131: standby"])
        #expect(pipeline.feed(Road.fix(132, metres: 44, accuracy: 20)) == ["132: standby"])
        #expect(pipeline.feed(Road.fix(133, metres: 46, accuracy: 20)) == ["133: departed, moves, motionchange"])
        #expect(!pipeline.isStandby)
    }

    @Test
    func `0 switches a state off`() {
        var noStill = Self.pipeline { $0.stillAfter = .zero }
        #expect(
            noStill.feed(Self.parked(0...125)).prefix(2)
                == ["0: first, moves, motionchange", "120: still, rests, motionchange"])
        #expect(noStill.isStandby)
        var neither = Self.pipeline {
            $0.stillAfter = .zero
            $0.standbyAfter = .zero
        }
        #expect(neither.feed(Self.parked(0...1000)) == ["0: first, moves, motionchange"])
        #expect(neither.deadline == nil)
    }

    @Test
    func `standby asks the source for less, and so does a coarse accuracy`() {
        var pipeline = Self.pipeline()
        #expect(pipeline.demand == .continuous)
        _ = pipeline.feed(Self.parked(0...130))
        #expect(pipeline.demand == .occasional(every: .seconds(30)))
        #expect(Self.pipeline { $0.desiredAccuracy = .kilometer }.demand == .occasional(every: .seconds(10)))
        #expect(Self.pipeline { $0.desiredAccuracy = .threeKilometers }.demand == .occasional(every: .seconds(60)))
    }

    @Test
    func `a record on demand moves no reference`() {
        var pipeline = Self.pipeline()
        #expect(pipeline.planRequestedRecord() == nil)
        _ = pipeline.feed(Road.fix(0))
        _ = pipeline.feed(Road.fix(1, metres: 10))
        #expect(pipeline.planRequestedRecord()?.cause == .requested)
        #expect(pipeline.latest == Road.fix(1, metres: 10))
        #expect(pipeline.feed(Road.fix(2, metres: 17)) == ["2: distance, moves"])
    }
}
