/// Correlated noise: a first-order Gauss-Markov process with mean 0 and variance 1.
///
/// `x ← φ·x + √(1 − φ²)·n` with `φ = e^(−step/time)`, here as its first Padé approximant `(2 − r) / (2 + r)`, where
/// `r` is `step / time`. No exponential function is needed, the variance stays exactly 1, and φ is accurate to 10⁻⁴
/// below `r = 0.1`. Position errors of satellite receivers are of this kind: they drift and do not jump.
package struct NoiseProcess: Sendable {
    /// The current value.
    package private(set) var value: Double
    /// The part of a value that remains in the next one.
    package let memory: Double

    private let innovation: Double

    /// Creates a process in its steady state.
    ///
    /// - Parameters:
    ///   - time: the seconds after which 1/e of a value remains, not less than `step`.
    ///   - step: seconds between two values.
    package init(time: Double, step: Double, using random: inout SplitMix64) {
        let ratio = step / time
        memory = (2 - ratio) / (2 + ratio)
        innovation = (1 - memory * memory).squareRoot()
        value = random.gaussian()
    }

    /// Advances to the next value.
    package mutating func advance(using random: inout SplitMix64) {
        value = memory * value + innovation * random.gaussian()
    }
}
