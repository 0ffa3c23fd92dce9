/// What the errors of a rebuilt track come to.
package struct ErrorStatistics: Sendable, Hashable {
    /// The largest error, in metres.
    package let largest: Double
    /// The mean over all fixes, kept ones included, in metres.
    package let mean: Double
    /// The smallest error that at least 95 % of the fixes do not exceed (the nearest rank), in metres.
    package let percentile95: Double
    /// The number of the fix that is farthest off; the first of several.
    package let worst: Int

    /// The statistics of the errors of a track, in metres, by the number of the fix; `nil` without any.
    package init?(_ errors: [Float]) {
        guard !errors.isEmpty else { return nil }
        var sum = 0.0
        var worst = 0
        for index in errors.indices {
            sum += Double(errors[index])
            if errors[index] > errors[worst] { worst = index }
        }
        self.worst = worst
        largest = Double(errors[worst])
        mean = sum / Double(errors.count)
        let rank = (errors.count * 95 + 99) / 100  // 1 ... count
        percentile95 = Double(errors.sorted()[rank - 1])
    }
}
