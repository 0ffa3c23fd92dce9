/// What the errors of a rebuilt track come to.
public struct ErrorStatistics: Sendable, Hashable {
    /// The largest error, in metres.
    public let largest: Double
    /// The mean over all fixes that count, kept ones included, in metres.
    public let mean: Double
    /// The smallest error that at least 95 % of them do not exceed (the nearest rank), in metres.
    public let percentile95: Double
    /// The number of the fix that is farthest off; the first of several.
    public let worst: Int

    /// The statistics of the errors of a track, in metres, by the number of the fix; `nil` without any.
    ///
    /// - Parameter errors: `nil` for a fix that does not count.
    package init?(_ errors: [Float?]) {
        let counting = errors.indices.filter { errors[$0] != nil }
        guard let first = counting.first else { return nil }
        var values: [Float] = []
        values.reserveCapacity(counting.count)
        var (sum, largest, worst) = (0.0, Float(0), first)
        for index in counting {
            guard let error = errors[index] else { continue }
            values.append(error)
            sum += Double(error)
            if error > largest { (largest, worst) = (error, index) }
        }
        self.largest = Double(largest)
        self.worst = worst
        mean = sum / Double(values.count)
        values.sort()
        percentile95 = Double(values[(values.count * 95 + 99) / 100 - 1])  // ranks begin at 1
    }
}
