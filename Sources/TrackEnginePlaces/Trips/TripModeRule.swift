package import TrackEngine

/// Infers the means of travel from the mean speed while moving and the top speed; the first matching row decides.
///
/// | top speed, m/s | or mean speed, m/s | mode |
/// |---|---|---|
/// | above 100 | | plane: no train in service is faster than 350 km/h |
/// | above 60 | | train: 216 km/h |
/// | above 14 | above 8.5 | car: 50 km/h; the limit of the activity table |
/// | above 7 | above 4 | bicycle |
/// | | above 2.2 | run: the limit of the activity table |
/// | | | walk |
///
/// Every object with a car's speed is a car: buses, slow trains and boats cannot be distinguished from cars by
/// speed. A bicycle above 50 km/h downhill counts as a car, and a car that stays on slow streets counts as a
/// bicycle.
package enum TripModeRule {
    /// The mode of a trip; speeds in metres per second, `nil` if unknown.
    package static func mode(top: Double?, mean: Double?) -> TripMode {
        let (top, mean) = (top ?? 0, mean ?? 0)
        if top > 100 { return .plane }
        if top > 60 { return .train }
        if top > 14 || mean > 8.5 { return .car }
        if top > 7 || mean > 4 { return .bicycle }
        return mean > 2.2 ? .run : .walk
    }
}
