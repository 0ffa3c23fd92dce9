import Glibc

/// A scale on which each factor is equally long.
package struct LogarithmicScale: Sendable {
    private let start: Double
    private let lengthOfFactorTwo: Double
    private let lowest: Double
    private let highest: Double

    /// A scale from the round number below the least positive value to the one above the greatest.
    package init(_ values: [Double], from start: Double, to end: Double) {
        lowest = RoundStep.largest(notAbove: values.min() ?? 1)
        highest = max(RoundStep.smallest(notBelow: values.max() ?? 1), lowest * 2)
        self.start = start
        lengthOfFactorTwo = (end - start) / log2(highest / lowest)
    }

    /// Where a positive value is.
    package func place(_ value: Double) -> Double {
        start + lengthOfFactorTwo * log2(value / lowest)
    }

    /// Round values to write at the scale: 1, 2, 5 times a power of ten.
    package var ticks: [Double] {
        var ticks = [lowest]
        while let last = ticks.last, last < highest, ticks.count < 40 {
            ticks.append(RoundStep.smallest(notBelow: last * 1.01))
        }
        return ticks
    }
}
