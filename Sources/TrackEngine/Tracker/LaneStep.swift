extension SourceLane {
    /// What one batch of fixes, or one deadline, leads to, before it is stored.
    struct Step {
        private(set) var pipeline: TrackPipeline
        private(set) var planned: [PlannedRecord] = []
        private(set) var decisions: [Decision] = []
        private var rejected: [RejectionReason: Int] = [:]

        init(_ pipeline: TrackPipeline) {
            self.pipeline = pipeline
        }

        /// Judges a fix, after the deadlines before it where time is the fixes' own.
        mutating func process(_ fix: Fix, at now: TrackInstant, wallClock: Timestamp, timeBase: TimeBase) {
            if timeBase == .fixTime {
                while let due = pipeline.nextTimeout(before: now) { timeout(at: due) }
            }
            note(pipeline.process(fix, at: now, wallClock: wallClock))
        }

        /// Lets time pass.
        mutating func timeout(at now: TrackInstant) {
            if let decision = pipeline.timeout(at: now) { note(decision) }
        }

        /// Notes a decision.
        mutating func note(_ decision: Decision) {
            decisions.append(decision)
            switch decision {
            case .record(let record): planned.append(record)
            case .reject(_, let reason): rejected[reason, default: 0] += 1
            case .standby: break
            }
        }

        /// Adds the step to a source's statistics.
        func count(into report: inout SourceReport) {
            report.recorded += planned.count
            report.rejected.merge(rejected, uniquingKeysWith: +)
        }
    }
}
