/// Which sequence numbers a store believes.
///
/// A number beyond the bounds is damage, wherever it stands. The highest leaves so much room below `Int64.max` that
/// adding steps and counts to a believed number cannot overflow.
enum SequenceBounds {
    /// 2⁴⁸: at a thousand records a second it takes 8,900 years to get there.
    static let highest: Int64 = 1 << 48

    /// The highest number that is believed where no check stands beside it: so high a one leaves room for as many again.
    static let highestUnchecked = highest / 2

    /// Whether a record can have this number.
    static func contains(_ sequence: Int64) -> Bool { (1...highest).contains(sequence) }
}
