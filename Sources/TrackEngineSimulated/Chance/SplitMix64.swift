internal import TrackEngine

/// A small, fast generator with a 64-bit state: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014), which generates the same numbers for the same seed on every machine.
///
/// The distributions below use only integer arithmetic, `+` and `×`. They use neither the C library nor the algorithms
/// of the standard library, either of which may change between machines and releases.
package struct SplitMix64: RandomNumberGenerator, Sendable, Hashable {
    private var state: UInt64

    /// Starts the sequence of a seed; every seed is equally good.
    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A generator for another purpose, whose numbers are independent of the following ones here.
    package mutating func split() -> SplitMix64 {
        SplitMix64(seed: next())
    }

    /// A number from 0 up to but not including 1, in steps of 2⁻⁵³.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A number within a range.
    package mutating func uniform(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * unit()
    }

    /// Returns `true` with this probability.
    package mutating func chance(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// A number with mean 0 and variance 1 that is approximately normally distributed and never outside ±6.
    ///
    /// It is the sum of twelve numbers uniform in 0 ..< 1, minus 6 (Irwin-Hall). It needs no logarithm, so no C
    /// library, and a simulated receiver never has an error of a kilometre once a year.
    package mutating func gaussian() -> Double {
        var sum: UInt64 = 0
        for _ in 0..<3 {
            let word = next()
            sum += word & 0xffff
            sum += word >> 16 & 0xffff
            sum += word >> 32 & 0xffff
            sum += word >> 48
        }
        return (Double(sum) + 6) * 0x1p-16 - 6  // each 16-bit number represents the middle of its step
    }
}

extension ClosedRange<Duration> {
    /// The range in seconds, for random values.
    var inSeconds: ClosedRange<Double> { lowerBound.inSeconds...upperBound.inSeconds }
}
