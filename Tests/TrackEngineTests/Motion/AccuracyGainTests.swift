import Testing
import TrackEngine

/// A fix that tells the same place more exactly.
@Suite struct AccuracyGainTests {
    static func pipeline(_ change: (inout RecordingConfiguration) -> Void = { _ in }) -> TrackPipeline {
        QualityGateTests.pipeline {
            $0.accuracyGain = 5
            change(&$0)
        }
    }

    @Test func `it is recorded when it is more exact than the last record by the gain`() {
        var pipeline = Self.pipeline()
        #expect(pipeline.feed(Road.fix(0, accuracy: 30)) == ["0: first, moves, motionchange"])
        #expect(pipeline.feed(Road.fix(1, metres: 1, accuracy: 25.1)) == ["1: too-near"])
        #expect(pipeline.feed(Road.fix(2, metres: 2, accuracy: 25)) == ["2: improved, moves"])
        #expect(pipeline.feed(Road.fix(3, metres: 3, accuracy: 21)) == ["3: too-near"])
        #expect(pipeline.feed(Road.fix(4, metres: 17, accuracy: 40)) == ["4: too-near"])
        #expect(pipeline.feed(Road.fix(5, metres: 18.5, accuracy: 40)) == ["5: distance, moves"])
        #expect(pipeline.feed(Road.fix(6, metres: 19, accuracy: 35)) == ["6: improved, moves"])
    }

    @Test func `what has no accuracy improves nothing, and is improved by nothing`() {
        var pipeline = Self.pipeline()
        _ = pipeline.feed(Road.fix(0))
        #expect(pipeline.feed(Road.fix(1, accuracy: 1)) == ["1: too-near"])
        _ = pipeline.feed(Road.fix(2, metres: 100, accuracy: 30))
        #expect(pipeline.feed(Road.fix(3, metres: 100)) == ["3: too-near"])
    }

    @Test func `without a gain nothing is recorded for it`() {
        var pipeline = Self.pipeline { $0.accuracyGain = nil }
        _ = pipeline.feed(Road.fix(0, accuracy: 300))
        #expect(pipeline.feed(Road.fix(1, accuracy: 1)) == ["1: too-near"])
    }

    @Test func `at rest and in standby it is recorded without movement, and the odometer stays`() {
        var pipeline = Self.pipeline()
        for second in stride(from: 0.0, through: 65, by: 5) { _ = pipeline.feed(Road.fix(second, accuracy: 30)) }
        #expect(!pipeline.isMoving && !pipeline.isStandby)
        #expect(pipeline.feed(Road.fix(70, metres: 3, accuracy: 20)) == ["70: improved, rests"])
        #expect(!pipeline.isMoving)
        #expect(pipeline.feed(Road.fix(140, metres: 3, accuracy: 10)) == ["120: standby", "140: improved, rests"])
        #expect(pipeline.isStandby && pipeline.odometer == 0)
        #expect(pipeline.feed(Road.fix(170, metres: 3, accuracy: 9)) == ["170: standby"])
    }

    @Test func `the accuracy of the last record is known again after a restart, and under another configuration`()
        throws
    {
        var configuration = RecordingConfiguration()
        configuration.accuracyGain = 5
        var first = TrackPipeline(configuration, timeBase: .fixTime)
        var drafts: [RecordDraft] = []
        first.process(Road.fix(0, accuracy: 30), at: TrackInstant(Road.start)) { fix, decision in
            guard case .record(let plan) = decision else { return }
            drafts.append(plan.draft(of: fix, device: "van", source: "gps"))
        }
        let draft = try #require(drafts.first)
        var resumed = TrackPipeline(configuration, timeBase: .fixTime)
        resumed.resume(from: first.checkpoint(after: draft), at: TrackInstant(Road.start), wallClock: Road.start)
        var changed = first.reconfigured(configuration)
        #expect(resumed.feed(Road.fix(1, accuracy: 26)) == ["1: too-near"])
        #expect(resumed.feed(Road.fix(2, accuracy: 25)) == ["2: improved, moves"])
        #expect(changed.feed(Road.fix(2, accuracy: 25)) == ["2: improved, moves"])
    }
}
