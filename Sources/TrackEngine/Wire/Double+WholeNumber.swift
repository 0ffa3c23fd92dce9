extension Double {
    /// The nearest whole number, halves away from zero, for formats without fractions; at most a billion in magnitude.
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
