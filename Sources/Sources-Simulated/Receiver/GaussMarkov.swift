/// Noise with a memory: a first-order Gauss-Markov process with mean 0 and variance 1.
///
/// `x ← φ·x + √(1 − φ²)·n` with `φ = e^(−step/time)`, here as its first Padé approximant `(2 − r) / (2 + r)`, `r` being
/// `step / time`: no exponential function is needed, the variance stays exactly 1, and φ is right to 10⁻⁴ below
/// `r = 0.1`. Position errors of satellite receivers are of this kind: they wander and do not jump.
package struct GaussMarkov: Sendable {
    /// The value of this moment.
    package private(set) var value: Double
    /// How much of a value is left in the next one.
    package let memory: Double

    private let innovation: Double

    /// A process that has run for ever.
    ///
    /// - Parameters:
    ///   - time: seconds after which 1/e of a value is left, not less than `step`.
    ///   - step: seconds between two values.
    package init(time: Double, step: Double, using random: inout SplitMix64) {
        let ratio = step / time
        memory = (2 - ratio) / (2 + ratio)
        innovation = (1 - memory * memory).squareRoot()
        value = random.gaussian()
    }

    /// Goes on to the next value.
    package mutating func advance(using random: inout SplitMix64) {
        value = memory * value + innovation * random.gaussian()
    }
}
