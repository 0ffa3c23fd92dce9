package import TrackEngine

extension JSONWriter {
    /// Writes a number with at most this many decimals, truncated toward zero like the Overland app.
    ///
    /// The number is first rounded to two more decimals, because 9.9871234 is 9.98712339999… in binary: a number
    /// with no more decimals than requested keeps them all.
    ///
    /// | value | decimals | written |
    /// |---|---|---|
    /// | 9.9871234 | 7 | 9.9871234 |
    /// | 9.98712349 | 7 | 9.9871234 |
    /// | -0.129 | 2 | -0.12 |
    /// | 3.4 | 2 | 3.4 |
    package mutating func cut(_ value: Double, decimals: Int) {
        let scale = decimals == 7 ? 1e7 : 1e2
        let places = decimals == 7 ? 7 : 2
        let hundredths = (value * scale * 100).rounded()
        guard let scaled = Int64(exactly: hundredths) else { return number(value, decimals: places) }
        fixed(scaled / 100, decimals: places)
    }

    /// Writes a number rounded to a whole one, halves away from zero.
    mutating func rounded(_ value: Double) {
        guard let whole = Int64(exactly: value.rounded()) else { return number(value, decimals: 0) }
        fixed(whole, decimals: 0)
    }
}
