package import TrackEngine

/// A person's own track: the fixes that passed the gates, in order of time, and what became of the others.
///
/// The times of ``fixes`` strictly increase, for the gates let nothing else through. All fixes are held in memory,
/// `MemoryLayout<Fix>.stride` bytes each, up to ``Gatherer/limit``.
package struct RecordedTrack: Sendable {
    /// The fixes that every rule gets to see.
    package let fixes: [Fix]
    /// The numbers of the fixes at which the object stood parked, in order; see ``Gatherer``.
    package let parked: [Range<Int>]
    /// How many fixes the files had.
    package let read: Int
    /// Why the others were refused.
    package let refused: [RejectionReason: Int]
    /// How many fixes came after the limit was reached.
    package let leftOut: Int
    /// Seconds of recording: see ``RecordedTime``.
    package let recordedSeconds: Double
    /// Metres from fix to fix, but for where it stood parked.
    package let length: Double
    /// The longest time from one fix to the next.
    package let longestGap: Duration

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
    package var recordedHours: Double { recordedSeconds / 3600 }

    /// How many fixes were taken while the object stood parked.
    package var parkedFixes: Int { parked.reduce(0) { $0 + $1.count } }
}
