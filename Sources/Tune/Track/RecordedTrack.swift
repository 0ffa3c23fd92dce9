public import TrackEngine

/// A person's own track: the fixes that passed the gates, in order of time, and what became of the others.
///
/// The times of ``fixes`` strictly increase, for the gates let nothing else through. All fixes are held in memory,
/// `MemoryLayout<Fix>.stride` bytes each, up to 10 million.
public struct RecordedTrack: Sendable {
    /// The fixes that every rule gets to see.
    public let fixes: [Fix]
    /// The numbers of the fixes at which the object stood parked, in order; see ``Gatherer``.
    package let parked: [Range<Int>]
    /// How many fixes the files had.
    public let read: Int
    /// Why the others were refused.
    public let refused: [RejectionReason: Int]
    /// How many fixes came after the limit was reached.
    public let leftOut: Int
    /// Seconds of recording: from fix to fix, without gaps of more than five minutes.
    public let recordedSeconds: Double
    /// Metres from fix to fix, but for where it stood parked.
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

    /// Hours of recording.
    public var recordedHours: Double { recordedSeconds / 3600 }

    /// How many fixes were taken while the object stood parked.
    public var parkedFixes: Int { parked.reduce(0) { $0 + $1.count } }
}

/// A track has too few fixes to be tuned.
public struct TuningError: Error, Sendable, Hashable, CustomStringConvertible {
    /// How many of its fixes are of use.
    public let usableFixes: Int

    /// What was expected, and what was found.
    public var description: String {
        "expected at least two fixes within five minutes, found \(usableFixes) of use"
    }
}

extension RecordedTrack {
    /// The track, if rules can be measured on it.
    package func checked() throws(TuningError) -> RecordedTrack {
        guard fixes.count >= 2, recordedSeconds > 0 else { throw TuningError(usableFixes: fixes.count) }
        return self
    }
}

/// Time during which a receiver was recording: from fix to fix, without the gaps in which it was off.
///
/// A gap of more than five minutes counts as off, and not at all. That is longer than any receiver's way to its first fix
/// and than a standby's interval.
package struct RecordedTime: Sendable, Hashable {
    /// The longest gap that counts.
    package static let longestGap = Duration.seconds(300)

    /// The time so far, in seconds.
    package private(set) var seconds = 0.0

    /// None yet.
    package init() {}

    /// Goes on to the next fix, which comes so long after the one before.
    package mutating func pass(_ gap: Duration) {
        if gap <= Self.longestGap { seconds += gap.inSeconds }
    }
}
