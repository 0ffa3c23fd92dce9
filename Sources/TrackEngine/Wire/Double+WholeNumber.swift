extension Double {
    /// The nearest whole number, halves away from zero, for formats that have no fractions; a billion at the most.
    ///
    /// | value | whole |
    /// |---|---|
    /// | 0.5 | 1 |
    /// | -0.4 | 0 |
    /// | -2.5 | -3 |
    /// | 1e300 | 1000000000 |
    package var wholeNumber: Int64 {
        guard !isNaN else { return 0 }
        return Int64(Swift.min(Swift.max(self, -1e9), 1e9).rounded(.toNearestOrAwayFromZero))
    }
}
