package import TrackEngine

extension RecordedTrack {
    /// Collects the fixes that pass the gates of a configuration, which are the same for every recording rule.
    ///
    /// It also notes where the object was parked, because there the drift of the fixes is the receiver's error and
    /// not the track's. Parked is the same for every rule, so no rule benefits from counting slow travel as rest. It
    /// is the time from rest to departure by the engine's own motion states, with a base distance of 16 m or the
    /// configured one if that is less.
    package struct Recorder {
        /// The most fixes that are held, about 1 GB: weeks of driving at 10 Hz.
        package static let limit = 10_000_000

        /// The most consecutive fixes that are assumed to have a wrong date.
        private static let mostDatedAhead = 60

        private var pipeline: TrackPipeline
        private let wallClock: Timestamp?
        private let limit: Int
        private var fixes: [Fix] = []
        private var parked: [Range<Int>] = []
        private var read = 0
        private var refused: [RejectionReason: Int] = [:]
        private var leftOut = 0

        /// A gatherer before the first fix.
        ///
        /// - Parameter wallClock: fixes dated a multiple of 1024 weeks after this time have lost count of their GPS
        ///   weeks and are corrected; `nil` leaves them unchanged.
        package init(_ configuration: RecordingConfiguration, wallClock: Timestamp?, limit: Int = limit) {
            let distance = min(configuration.distanceFilter, RecordingConfiguration().distanceFilter)
            // A rule that decides at once, and detects rest like the rule `deviation`.
            let rule = RuleSettings.any(metres: distance, interval: nil, angle: nil, on: configuration)
            pipeline = TrackPipeline(rule.configuration, timeBase: .fixTime)
            self.wallClock = wallClock
            self.limit = limit
        }

        /// Takes the next fixes of the track.
        package mutating func take(_ more: [Fix]) {
            for fix in more { take(fix) }
        }

        private mutating func take(_ fix: Fix) {
            read += 1
            var verdict: Decision?
            pipeline.replay(fix, wallClock: wallClock) { verdict = $1 }  // the last one is about the fix itself
            switch verdict {
            case .reject(let reason) where reason.isOfGates: refused[reason, default: 0] += 1
            case .record, .reject, .undecided, .standby, nil: keep(pipeline.latest ?? fix)
            }
        }

        private mutating func keep(_ fix: Fix) {
            guard forgets(from: fix.time) else {
                refused[.backwardTime, default: 0] += 1
                return
            }
            guard fixes.count < limit else {
                leftOut += 1
                return
            }
            fixes.append(fix)
            if !pipeline.isMoving { park(at: fixes.count - 1) }
        }

        /// Removes fixes that are not before a time; returns whether the fix of that time is kept. The pipeline goes
        /// back in time if a few fixes were dated ahead, and these are not part of the track. If more had to be
        /// removed, the earlier fix belongs to another track and is left out.
        private mutating func forgets(from time: Timestamp) -> Bool {
            guard let last = fixes.last, last.time >= time else { return true }
            var end = fixes.count
            while end > 0, fixes[end - 1].time >= time { end -= 1 }
            guard fixes.count - end <= Self.mostDatedAhead else { return false }
            fixes.removeSubrange(end...)
            parked.removeAll { $0.lowerBound >= end }
            if let last = parked.last { parked[parked.count - 1] = last.clamped(to: 0..<end) }
            return true
        }

        private mutating func park(at index: Int) {
            if let last = parked.last, last.upperBound == index {
                parked[parked.count - 1] = last.lowerBound..<(index + 1)
            } else {
                parked.append(index..<(index + 1))
            }
        }

        /// The collected track.
        package consuming func finish() -> RecordedTrack {
            RecordedTrack(fixes: fixes, parked: parked, read: read, refused: refused, leftOut: leftOut)
        }
    }
}
