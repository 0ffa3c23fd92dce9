/// The rates of climb that keep an object within a bound of the height of every fix since it left a position. The
/// one-dimensional counterpart of ``SpeedRange``.
struct ClimbRange: Sendable, Hashable, BitwiseCopyable {
    private let altitude: Double?
    private let bound: Double
    private var low = -Double.infinity
    private var high = Double.infinity

    /// Creates a range of all rates from a height, which may be unknown, for a bound in metres.
    init(from altitude: Double?, bound: Double) {
        self.altitude = altitude
        self.bound = bound
    }

    private var isConstrained: Bool { low > -.infinity }

    /// Whether no rate is left.
    var isEmpty: Bool { low > high }

    /// Whether the straight climb to this height passes all fixes within the bound; `rate` is 1 divided by the seconds
    /// that it takes. Without a height at both ends there is no climb, so no fix in between may have a height.
    func allows(_ altitude: Double?, rate: Double) -> Bool {
        guard isConstrained else { return true }
        guard let altitude, let start = self.altitude else { return false }
        let climb = (altitude - start) * rate
        return low <= climb && climb <= high
    }

    /// Narrows the rates to those that pass a fix of this height.
    mutating func narrow(to altitude: Double?, rate: Double) {
        guard let altitude else { return }
        guard let start = self.altitude else {
            (low, high) = (.infinity, -.infinity)
            return
        }
        let climb = (altitude - start) * rate
        // A billionth less than the bound, which is more than the rounding error of the interpolated height.
        let margin = bound * rate * (1 - 1e-9)
        low = max(low, climb - margin)
        high = min(high, climb + margin)
    }
}
