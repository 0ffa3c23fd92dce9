/// Measures the climb of an object with hysteresis: ascents of less than ``step`` count as noise.
///
/// The reference follows the height in steps of at least 10 m in either direction; only upward steps count. Strava
/// uses ten metres for heights without a barometer ("Elevation", support article 216919447).
///
/// | heights | 100 | 104 | 111 | 118 | 109 | 100 | 112 | climb |
/// |---|---|---|---|---|---|---|---|---|
/// | reference | 100 | 100 | 111 | 111 | 111 | 100 | 112 | 11 + 12 = 23 |
package struct ClimbMeter: Sendable, Hashable, BitwiseCopyable {
    package static let step = 10.0

    package private(set) var metres = 0.0
    private(set) var reference = Double.nan

    package init() {}

    /// Restores a saved meter.
    init(metres: Double, reference: Double) {
        self.metres = metres
        self.reference = reference
    }

    /// Whether a height is known.
    package var isKnown: Bool { !reference.isNaN }

    /// Processes a height, in metres.
    ///
    /// - Parameter isCut: Whether the way to the height is unknown.
    package mutating func observe(altitude: Double, isCut: Bool = false) {
        let change = altitude - reference
        if isCut || reference.isNaN {
            reference = altitude
        } else if abs(change) >= Self.step {
            metres += max(change, 0)
            reference = altitude
        }
    }
}
