package import TrackEngine

/// Takes a track through the engine's own pipeline, on the fixes' time, as `trackd replay` does.
package enum RuleRun {
    /// Calls `record` for each fix that a rule makes a record of, with what the record says; the fixes have passed the
    /// gates.
    ///
    /// After the last fix time goes on until the object counts as at rest, if the fixes show that; else a record of
    /// the last fix is asked for in its place. So every rule's track ends where the recording does.
    package static func play(_ fixes: [Fix], _ rule: TunedRule, record: (Fix, RecordPlan) -> Void) {
        var pipeline = TrackPipeline(rule.configuration, timeBase: .fixTime)
        let note = { (fix: Fix, decision: Decision) in
            if case .record(let plan) = decision { record(fix, plan) }
        }
        for fix in fixes { pipeline.replay(fix, decide: note) }
        while !pipeline.isStandby, let due = pipeline.deadline { pipeline.timeout(at: due, decide: note) }
        if pipeline.isMoving { pipeline.request(decide: note) }
    }
}
