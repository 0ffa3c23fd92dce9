package import TrackEngine

/// The result of a recording rule on a track.
public struct RuleOutcome: Sendable {
    /// The rule.
    public let rule: RuleSettings
    /// The number of records; a fix can be recorded twice, as the last of a movement and as the position at rest.
    public let records: Int
    /// The numbers of the recorded fixes, increasing.
    package let kept: [Int32]
    /// Records per hour of recording.
    public let recordsPerHour: Double
    /// The longest time from one record to the next.
    public let longestSilence: Duration
    /// The bytes for transferring the records.
    public let bytes: WireByteCount
    /// The statistics of the errors, without the fixes at which the object was parked.
    public let error: ErrorStatistics
    /// The error over time.
    package let profile: ErrorProfile
}

extension RuleOutcome {
    /// Runs a track through the pipeline under a rule and measures the result; `nil` if there is no error to
    /// measure.
    package init?(_ rule: RuleSettings, on track: RecordedTrack, wire: any TransferMeter) {
        var wire = wire
        var tally = Counter(fixes: track.fixes)
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

    /// The error at each fix; `nil` where the object was parked.
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

    /// Counts records and finds their fixes.
    private struct Counter {
        let fixes: [Fix]
        var records = 0
        var kept: [Int32] = []
        var longestSilence = Duration.zero
        private var last: Timestamp?
        private var next = 0

        init(fixes: [Fix]) { self.fixes = fixes }

        /// Notes a record by its time. It is always that of a fix, and never before that of the last record.
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

/// Runs a track through the engine's own pipeline, on the fixes' time, as `trackd replay` does.
package enum RuleRun {
    /// Calls `record` for each fix that a rule records, with the plan for the record; the fixes have passed the
    /// gates.
    ///
    /// After the last fix, time continues until the object counts as at rest, if the fixes show that. Otherwise a
    /// record of the last fix is requested instead. So every rule's track ends at the end of the recording.
    package static func play(_ fixes: [Fix], _ rule: RuleSettings, record: (Fix, RecordPlan) -> Void) {
        var pipeline = TrackPipeline(rule.configuration, timeBase: .fixTime)
        let note = { (fix: Fix, decision: Decision) in
            if case .record(let plan) = decision { record(fix, plan) }
        }
        for fix in fixes { pipeline.replay(fix, decide: note) }
        while !pipeline.isStandby, let due = pipeline.deadline { pipeline.timeout(at: due, decide: note) }
        if pipeline.isMoving { pipeline.request(decide: note) }
    }
}
