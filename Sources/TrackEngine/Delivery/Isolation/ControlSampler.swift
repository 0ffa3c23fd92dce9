/// Chooses the positions in the queue at which to look for a control: the newest record first, then positions spread
/// over the queue.
///
/// Records that spoil a batch often come together (one bad hour of a receiver), so a control should be far from the
/// suspect. The positions follow the golden ratio: each lies in the widest gap left by the previous ones, and they
/// differ from one search to the next.
package struct ControlSampler: Sendable, Hashable {
    private var step: UInt64 = 0

    package init() {}

    /// Returns the next sequence number to try, after the suspect and at most that of the newest record.
    package mutating func next(after suspect: RecordSequence, newest: RecordSequence) -> RecordSequence {
        step &+= 1
        let (span, overflows) = newest.rawValue.subtractingReportingOverflow(suspect.rawValue)
        guard !overflows, span > 1 else { return newest }
        let fraction = step &* 0x9E37_79B9_7F4A_7C15  // 2^64 divided by the golden ratio, modulo 2^64
        let offset = UInt64(span).multipliedFullWidth(by: fraction).high  // 0 ..< span
        return RecordSequence(rawValue: suspect.rawValue + 1 + Int64(offset))
    }
}
