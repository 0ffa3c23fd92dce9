package import TrackEngine

/// Infers the means of travel from the mean speed while moving and the top speed; the first row that fits decides.
///
/// | top speed, m/s | or mean speed, m/s | mode |
/// |---|---|---|
/// | above 100 | | plane: no train in service is faster than 350 km/h |
/// | above 60 | | train: 216 km/h |
/// | above 14 | above 8.5 | car: 50 km/h; the bound of the activity table |
/// | above 7 | above 4 | bicycle |
/// | | above 2.2 | run: the bound of the activity table |
/// | | | walk |
///
/// What goes at a car's speed is a car: buses, slow trains and boats cannot be told from it by speed, so they never are. A
/// bicycle above 50 km/h downhill is taken for a car, and a car that never leaves slow streets for a bicycle.
package enum TripModeRule {
    /// The mode of a trip; speeds in metres per second, absent where they are not known.
    package static func mode(top: Double?, mean: Double?) -> TripMode {
        let (top, mean) = (top ?? 0, mean ?? 0)
        if top > 100 { return .plane }
        if top > 60 { return .train }
        if top > 14 || mean > 8.5 { return .car }
        if top > 7 || mean > 4 { return .bicycle }
        return mean > 2.2 ? .run : .walk
    }
}
