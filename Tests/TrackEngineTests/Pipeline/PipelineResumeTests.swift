import Testing
import TrackEngine

@Suite struct PipelineResumeTests {
    /// A drive with a stop: 20 s at 10 m/s, 200 s parked, 20 s at 10 m/s.
    static let drive: [Fix] = (0...240).map { second in
        switch second {
        case ...20: Road.fix(Double(second), metres: Double(second) * 10, speed: 10)
        case ...220: Road.fix(Double(second), metres: 200, speed: 0)
        default: Road.fix(Double(second), metres: 200 + Double(second - 220) * 10, speed: 10)
        }
    }

    static func records(_ fixes: [Fix], _ pipeline: inout TrackPipeline) -> [RecordDraft] {
        var drafts: [RecordDraft] = []
        func keep(_ fix: Fix, _ decision: Decision) {
            if case .record(let plan) = decision { drafts.append(plan.draft(of: fix, device: "d", source: "s")) }
        }
        for fix in fixes {
            while let due = pipeline.nextTimeout(before: fix) {
                pipeline.timeout(at: due, decide: keep)
            }
            pipeline.process(fix, at: TrackInstant(fix.time), decide: keep)
        }
        return drafts
    }

    @Test
    func `killed after any fix and replayed from the start, it adds exactly what was missing`() throws {
        var whole = TrackPipeline(.calmGeo, timeBase: .fixTime)
        let expected = Self.records(Self.drive, &whole)
        #expect(expected.count == 6)
        for end in 1..<Self.drive.count {
            var first = TrackPipeline(.calmGeo, timeBase: .fixTime)
            let before = Self.records(Array(Self.drive.prefix(end)), &first)
            let last = try #require(before.last)
            var second = TrackPipeline(.calmGeo, timeBase: .fixTime)
            second.resume(
                from: first.checkpoint(after: last), at: TrackInstant(Road.start), wallClock: Road.fix(1000).time)
            let after = Self.records(Self.drive, &second)
            #expect(before + after == expected, "killed after fix \(end)")
        }
    }

    @Test
    func `so it does with motion gating and inferred activities, whatever their state was`() throws {
        var configuration = RecordingConfiguration.calmGeo
        (configuration.requiredMotionDuration, configuration.fetchActivity) = (.seconds(5), true)
        // A short halt, a long one, and a crawl in between, so that gating opens, closes, and nearly closes.
        var metres = 0.0
        let drive = (0...400).map { second in
            let speed: Double =
                switch second {
                case 0...8, 60...63, 120...219: 0
                case 64...80: 3
                case 300...306: 0.2
                default: 12
                }
            metres += speed
            return Road.fix(Double(second), metres: metres, speed: speed)
        }
        var whole = TrackPipeline(configuration, timeBase: .fixTime)
        let expected = Self.records(drive, &whole)
        #expect(expected.count > 10)
        #expect(expected.contains { $0.cause == .still })
        for end in 1..<drive.count {
            var first = TrackPipeline(configuration, timeBase: .fixTime)
            let before = Self.records(Array(drive.prefix(end)), &first)
            guard let last = before.last else { continue }
            var second = TrackPipeline(configuration, timeBase: .fixTime)
            second.resume(
                from: first.checkpoint(after: last), at: TrackInstant(Road.start), wallClock: Road.fix(1000).time)
            #expect(before + Self.records(drive, &second) == expected, "killed after fix \(end)")
        }
    }

    @Test
    func `without the state of motion gating, a moving thing's fixes pass at once`() {
        var configuration = RecordingConfiguration.calmGeo
        configuration.requiredMotionDuration = .seconds(5)
        var pipeline = TrackPipeline(configuration, timeBase: .fixTime)
        let draft = RecordDraft(
            id: RecordID(rawValue: 1), fix: Road.fix(0), isMoving: true, cause: .distance, source: "s")
        let checkpoint = SourceCheckpoint(source: "s", last: draft, lastMovement: Road.start, isStandby: false)
        pipeline.resume(from: checkpoint, at: TrackInstant(Road.start), wallClock: Road.start)
        #expect(pipeline.feed(Road.fix(1, metres: 100, speed: 10)) == ["1: distance, moves"])
    }

    @Test
    func `a new configuration keeps the reference, the state and the last time`() {
        var pipeline = TrackPipeline(.calmGeo, timeBase: .fixTime)
        _ = pipeline.feed(Road.fix(0))
        var wider = RecordingConfiguration.calmGeo
        wider.distanceFilter = 100
        pipeline = pipeline.reconfigured(wider)
        #expect(pipeline.feed(Road.fix(1, metres: 99)) == ["1: too-near"])
        #expect(pipeline.feed(Road.fix(1, metres: 200)) == ["1: duplicate-time"])
        #expect(pipeline.feed(Road.fix(2, metres: 101)) == ["2: distance, moves"])
    }

    @Test
    func `a live source that was away for long rests at once where it stood`() {
        var pipeline = TrackPipeline(.calmGeo, timeBase: .arrival)
        let draft = RecordDraft(
            id: RecordID(rawValue: 1), fix: Road.fix(0), isMoving: true, event: .motionChange, cause: .first,
            source: "s")
        let checkpoint = SourceCheckpoint(source: "s", last: draft, lastMovement: Road.start, isStandby: false)
        let now = TrackInstant(nanoseconds: 5_000_000_000)
        pipeline.resume(from: checkpoint, at: now, wallClock: Road.fix(45).time)
        #expect(pipeline.deadline == now.advanced(by: .seconds(15)))
    }
}
