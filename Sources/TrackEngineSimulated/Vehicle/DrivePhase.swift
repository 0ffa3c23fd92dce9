/// The driving phase of a vehicle.
package enum DrivePhase: Sendable, Hashable {
    /// Below the road's limit and accelerating. Leads to `cruising` at the limit, or to `braking` at the end of the
    /// leg.
    case accelerating(Leg)
    /// At the road's limit. Leads to `braking` at the end of the leg.
    case cruising(Leg)
    /// Slowing down at a constant rate for the next manoeuvre; leads to its phase once the vehicle is slow enough.
    case braking(for: LegEnd)
    /// On a circular arc through a junction. Leads to `accelerating` once the turn is complete.
    case turning(Turn)
    /// Waiting at a light for this many more seconds; then `turning` or `accelerating`.
    case waiting(Double)
    /// Parked for this many more seconds; then `accelerating`.
    case parked(Double)
}

/// A section of road between two junctions.
package struct Leg: Sendable, Hashable {
    /// The class of the road.
    package let road: RoadKind
    /// The distance to the position of ``end``, in metres.
    package let remaining: Double
    /// The bend of the road, in degrees per metre, positive to the right.
    let bend: Double
    /// The manoeuvre at the end.
    package let end: LegEnd
}

/// The manoeuvre at the end of a leg.
package enum LegEnd: Sendable, Hashable {
    /// Straight over the junction, on to a road of this class.
    case straightOn(RoadKind)
    /// Around a corner of this radius, in metres.
    case corner(radius: Double)
    /// A red light, for a number of seconds.
    case light(Double)
    /// A parking place, for a number of seconds.
    case park(Double)

    /// The maximum speed of the vehicle on arrival, in metres per second.
    var entrySpeed: Double {
        switch self {
        case .straightOn(let road): road.limit
        case .corner(let radius): Turn.speed(atRadius: radius)
        case .light, .park: 0
        }
    }
}

/// A turn through a junction.
package struct Turn: Sendable, Hashable {
    /// Degrees still to turn, positive to the right.
    package let remaining: Double
    /// Metres.
    package let radius: Double

    /// The speed at which the tyres hold with ``DriveLimits/cornering``: 4 m/s at 8 m, 5.5 m/s at 15 m.
    package static func speed(atRadius radius: Double) -> Double {
        (DriveLimits.cornering * radius).squareRoot()
    }
}

/// The limits of a considerate driver, in metres per second squared.
package enum DriveLimits {
    /// From standstill; it decreases towards the speed limit.
    package static let acceleration = 2.4
    /// Before a corner, a light or a parking place.
    package static let braking = 2.2
    /// Sideways, in a corner.
    static let cornering = 2.0
    /// Sideways, in a bend at the speed limit.
    static let bend = 1.2
    /// While turning, so that both accelerations together stay comfortable.
    static let accelerationInTurn = 1.2
}
