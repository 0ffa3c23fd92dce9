package import TrackEngine

extension JSONWriter {
    /// Writes a number with at most this many decimals, cut toward zero as the Overland app does it.
    ///
    /// Two more decimals are rounded first, because 9.9871234 is 9.98712339999… in binary: a number that has no more
    /// decimals than wanted keeps them all.
    ///
    /// | value | decimals | written |
    /// |---|---|---|
    /// | 9.9871234 | 7 | 9.9871234 |
    /// | 9.98712349 | 7 | 9.9871234 |
    /// | -0.129 | 2 | -0.12 |
    /// | 3.4 | 2 | 3.4 |
    package mutating func cut(_ value: Double, decimals: Int) {
        let scale = decimals == 7 ? 1e7 : 1e2
        let whole = ((value * scale * 100).rounded() / 100).rounded(.towardZero)
        number(whole / scale, decimals: decimals == 7 ? 7 : 2)
    }
}
