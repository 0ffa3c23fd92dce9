public import TrackEngine

/// A user's own track: the fixes that passed the gates, in order of time, and the counts of the others.
///
/// The times of ``fixes`` strictly increase, because the gates accept no others. All fixes are held in memory,
/// `MemoryLayout<Fix>.stride` bytes each, up to 10 million.
public struct RecordedTrack: Sendable {
    /// The fixes for every rule.
    public let fixes: [Fix]
    /// The numbers of the fixes at which the object was parked, in order; see ``Recorder``.
    package let parked: [Range<Int>]
    /// The number of fixes in the files.
    public let read: Int
    /// The number of refused fixes, by reason.
    public let refused: [RejectionReason: Int]
    /// The number of fixes after the limit was reached.
    public let leftOut: Int
    /// Seconds of recording: from fix to fix, without gaps of more than five minutes.
    public let recordedSeconds: Double
    /// The length in metres from fix to fix, without the fixes at which the object was parked.
    public let length: Double
    /// The longest time from one fix to the next.
    public let longestGap: Duration

    init(fixes: [Fix], parked: [Range<Int>], read: Int, refused: [RejectionReason: Int], leftOut: Int) {
        self.fixes = fixes
        self.parked = parked
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
        for range in parked {
            for index in range.dropFirst() {
                length -= fixes[index - 1].coordinate.distance(to: fixes[index].coordinate)
            }
        }
        recordedSeconds = time.seconds
        self.length = max(0, length)
        self.longestGap = longestGap
    }

    /// The hours of recording.
    public var recordedHours: Double { recordedSeconds / 3600 }

    /// The number of fixes at which the object was parked.
    public var parkedFixes: Int { parked.reduce(0) { $0 + $1.count } }
}

/// The error for a track with too few fixes for tuning.
public struct TuningError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of its usable fixes.
    public let usableFixes: Int

    /// The expected and the actual number of fixes.
    public var description: String {
        "expected at least two fixes within five minutes, found \(usableFixes) of use"
    }
}

extension RecordedTrack {
    /// Returns the track, if rules can be measured on it.
    package func checked() throws(TuningError) -> RecordedTrack {
        guard fixes.count >= 2, recordedSeconds > 0 else { throw TuningError(usableFixes: fixes.count) }
        return self
    }
}

/// The time during which a receiver was recording: from fix to fix, without the gaps in which it was off.
///
/// A gap of more than five minutes counts as off, and not at all. That is longer than the time to a receiver's first
/// fix and than the interval of a standby.
package struct RecordedTime: Sendable, Hashable {
    /// The longest gap that counts.
    package static let longestGap = Duration.seconds(300)

    /// The time so far, in seconds.
    package private(set) var seconds = 0.0

    /// Adds the time from one fix to the next.
    package mutating func pass(_ gap: Duration) {
        if gap <= Self.longestGap { seconds += gap.inSeconds }
    }
}
