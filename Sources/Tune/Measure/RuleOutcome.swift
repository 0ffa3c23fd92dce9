package import TrackEngine

/// What a recording rule makes of a track.
public struct RuleOutcome: Sendable {
    /// The rule.
    public let rule: TunedRule
    /// How many records it makes; a fix can be recorded twice, as the last of a movement and as the place of rest.
    public let records: Int
    /// The numbers of the recorded fixes, increasing.
    package let kept: [Int32]
    /// Records in an hour of recording.
    public let recordsPerHour: Double
    /// The longest time from one record to the next.
    public let longestSilence: Duration
    /// What the records take on their way.
    public let bytes: WireBytes
    /// How far the rebuilt track is from the fixes, but for those at which the object stood parked.
    public let error: ErrorStatistics
    /// The same over time.
    package let profile: ErrorProfile
}

extension RuleOutcome {
    /// Runs a track through the pipeline under a rule and measures what comes out; `nil` if nothing does.
    package init?(_ rule: TunedRule, on track: RecordedTrack, wire: any TransferMeter) {
        var wire = wire
        var tally = Tally(fixes: track.fixes)
        RuleRun.play(track.fixes, rule) { fix, plan in
            wire.add(fix, plan)
            tally.note(fix.time)
        }
        let errors = Self.errors(track, kept: tally.kept)
        guard let statistics = ErrorStatistics(errors) else { return nil }
        self.rule = rule
        records = tally.records
        kept = tally.kept
        recordsPerHour = track.recordedHours > 0 ? Double(tally.records) / track.recordedHours : 0
        longestSilence = tally.longestSilence
        bytes = wire.finish()
        error = statistics
        profile = ErrorProfile(track, errors: errors)
    }

    /// The error at each fix; `nil` where the object stood parked.
    private static func errors(_ track: RecordedTrack, kept: [Int32]) -> [Float?] {
        var errors: [Float?] = []
        errors.reserveCapacity(track.fixes.count)
        RebuiltTrack(track.fixes, kept: kept).eachError { errors.append(Float($1)) }
        guard !errors.isEmpty else { return [] }
        for range in track.parked {
            for index in range { errors[index] = nil }
        }
        return errors
    }

    /// Counts records and finds the fixes that they are of.
    private struct Tally {
        let fixes: [Fix]
        var records = 0
        var kept: [Int32] = []
        var longestSilence = Duration.zero
        private var last: Timestamp?
        private var next = 0

        init(fixes: [Fix]) { self.fixes = fixes }

        /// A record is always of one of the fixes, and never of one before that of the last record.
        mutating func note(_ time: Timestamp) {
            records += 1
            if let last { longestSilence = max(longestSilence, time.duration(since: last)) }
            last = time
            while next < fixes.count, fixes[next].time < time { next += 1 }
            guard next < fixes.count, fixes[next].time == time, kept.last != Int32(next) else { return }
            kept.append(Int32(next))
        }
    }
}

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
