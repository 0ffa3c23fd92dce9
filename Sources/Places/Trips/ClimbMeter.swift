/// How far an object has climbed, with hysteresis: what goes up by less than ``step`` is noise.
///
/// The reference follows the height in steps of at least 10 m in either direction; only steps upwards count. Ten metres are
/// what Strava takes for heights without a barometer ("Elevation", support article 216919447).
///
/// | heights | 100 | 104 | 111 | 118 | 109 | 100 | 112 | climb |
/// |---|---|---|---|---|---|---|---|---|
/// | reference | 100 | 100 | 111 | 111 | 111 | 100 | 112 | 11 + 12 = 23 |
package struct ClimbMeter: Sendable, Hashable, BitwiseCopyable {
    package static let step = 10.0

    package private(set) var metres = 0.0
    private(set) var reference = Double.nan

    package init() {}

    /// Goes on from what is kept.
    init(metres: Double, reference: Double) {
        self.metres = metres
        self.reference = reference
    }

    /// Whether a height is known.
    package var isKnown: Bool { !reference.isNaN }

    /// Takes a height, in metres.
    ///
    /// - Parameter isCut: whether nothing is known of the way to it.
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
