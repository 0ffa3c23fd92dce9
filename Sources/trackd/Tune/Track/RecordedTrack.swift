package import TrackEngine

/// A person's own track: the fixes that passed the gates, in order of time, and what became of the others.
///
/// The times of ``fixes`` strictly increase, for the gates let nothing else through. All fixes are held in memory,
/// `MemoryLayout<Fix>.stride` bytes each, up to ``Gatherer/limit``.
package struct RecordedTrack: Sendable {
    /// The fixes that every rule gets to see.
    package let fixes: [Fix]
    /// How many fixes the files had.
    package let read: Int
    /// Why the others were refused.
    package let refused: [RejectionReason: Int]
    /// How many fixes came after the limit was reached.
    package let leftOut: Int
    /// Seconds of recording: see ``RecordedTime``.
    package let recordedSeconds: Double
    /// Metres from fix to fix.
    package let length: Double
    /// The longest time from one fix to the next.
    package let longestGap: Duration

    fileprivate init(fixes: [Fix], read: Int, refused: [RejectionReason: Int], leftOut: Int) {
        self.fixes = fixes
        self.read = read
        self.refused = refused
        self.leftOut = leftOut
        var time = RecordedTime()
        var length = 0.0
        var longestGap = Duration.zero
        for index in fixes.indices.dropFirst() {
            let gap = fixes[index].time.duration(since: fixes[index - 1].time)
            time.pass(gap)
            longestGap = max(longestGap, gap)
            length += fixes[index - 1].coordinate.distance(to: fixes[index].coordinate)
        }
        recordedSeconds = time.seconds
        self.length = length
        self.longestGap = longestGap
    }

    /// Hours of recording.
    package var recordedHours: Double { recordedSeconds / 3600 }
}

extension RecordedTrack {
    /// Takes fixes as they are read and keeps those that pass the gates of a configuration, which are the same for every
    /// recording rule.
    package struct Gatherer {
        /// How many fixes are held at most, about 1 GB: weeks of driving at 10 Hz.
        package static let limit = 10_000_000

        private var pipeline: TrackPipeline
        private let wallClock: Timestamp
        private let limit: Int
        private var fixes: [Fix] = []
        private var read = 0
        private var refused: [RejectionReason: Int] = [:]
        private var leftOut = 0

        /// Nothing read yet.
        ///
        /// - Parameter wallClock: fixes more than a day after this have lost count of their GPS weeks and are put right.
        package init(_ configuration: TrackerConfiguration, wallClock: Timestamp, limit: Int = limit) {
            // The rule plays no part in the gates; this one answers each fix at once.
            pipeline = TrackPipeline(
                TunedRule.distance(metres: 0, multiplier: nil, on: configuration).configuration, timeBase: .fixTime)
            self.wallClock = wallClock
            self.limit = limit
        }

        /// Takes the next fixes of the track.
        package mutating func take(_ more: [Fix]) {
            for fix in more { take(fix) }
        }

        private mutating func take(_ fix: Fix) {
            read += 1
            switch pipeline.process(fix, at: TrackInstant(fix.time), wallClock: wallClock) {
            case .record(let planned): keep(planned.fix)
            case .reject(let fix, let reason):
                if reason.isOfGates { refused[reason, default: 0] += 1 } else { keep(fix) }
            case .undecided(let fix): keep(fix)
            case .standby: break
            }
        }

        private mutating func keep(_ fix: Fix) {
            if fixes.count < limit { fixes.append(fix) } else { leftOut += 1 }
        }

        /// The track.
        package consuming func finish() -> RecordedTrack {
            RecordedTrack(fixes: fixes, read: read, refused: refused, leftOut: leftOut)
        }
    }
}

extension RejectionReason {
    /// Whether the fix itself is refused, whatever the recording rule.
    fileprivate var isOfGates: Bool {
        switch self {
        case .invalidCoordinate, .nullIsland, .duplicateTime, .backwardTime, .stale, .future, .inaccurate,
            .implausibleSpeed:
            true
        case .notInMotion, .standby, .tooNear, .unneeded: false
        }
    }
}
