import Glibc

/// A logarithmic scale, on which equal factors have equal lengths.
package struct LogScale: Sendable {
    private let start: Double
    private let lengthOfFactorTwo: Double
    private let lowest: Double
    private let highest: Double

    /// A scale from the round number below the least positive value to the one above the greatest.
    package init(_ values: [Double], from start: Double, to end: Double) {
        lowest = ScaleStep.largest(notAbove: values.min() ?? 1)
        highest = max(ScaleStep.smallest(notBelow: values.max() ?? 1), lowest * 2)
        self.start = start
        lengthOfFactorTwo = (end - start) / log2(highest / lowest)
    }

    /// The coordinate of a positive value.
    package func place(_ value: Double) -> Double {
        start + lengthOfFactorTwo * log2(value / lowest)
    }

    /// Round values for the labels of the scale: 1, 2, 5 times a power of ten.
    package var ticks: [Double] {
        var ticks = [lowest]
        while let last = ticks.last, last < highest, ticks.count < 40 {
            ticks.append(ScaleStep.smallest(notBelow: last * 1.01))
        }
        return ticks
    }
}

/// Round numbers for axes and scales: 1, 2 and 5 times a power of ten.
package enum ScaleStep {
    /// The largest round number that is not above a positive one.
    package static func largest(notAbove value: Double) -> Double {
        guard value > 0, value.isFinite else { return 1 }
        var power = 1.0
        while power * 10 <= value { power *= 10 }
        while power > value { power /= 10 }
        return [5.0, 2.0].first { $0 * power <= value }.map { $0 * power } ?? power
    }

    /// The smallest round number that is not below a positive one.
    package static func smallest(notBelow value: Double) -> Double {
        let below = largest(notAbove: value)
        guard below < value else { return below }
        // 1 → 2 → 5 → 10: twice the value, or 2.5 times for 2
        return largest(notAbove: below * 2) > below * 1.5 ? below * 2 : below * 2.5
    }

    /// A round step of time in seconds that divides a length into at most `count` steps.
    package static func seconds(_ length: Double, atMost count: Int) -> Double {
        let steps: [Double] = [
            1, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
        ]
        if let step = steps.first(where: { length / $0 <= Double(count) }) { return step }
        return 86_400 * smallest(notBelow: length / 86_400 / Double(count))
    }
}
