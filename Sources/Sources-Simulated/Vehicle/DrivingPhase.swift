/// What a vehicle is doing at a moment.
package enum DrivingPhase: Sendable, Hashable {
    /// Below the road's limit and gaining speed. Goes on to `cruising` at the limit, or to `braking` where the leg ends.
    case accelerating(Leg)
    /// At the road's limit. Goes on to `braking` where the leg ends.
    case cruising(Leg)
    /// Losing speed at a constant rate for what lies ahead; goes on to what that demands once it is slow enough.
    case braking(for: Manoeuvre)
    /// On a circular arc through a junction. Goes on to `accelerating` once the turn is complete.
    case turning(Turn)
    /// Standing at a light for this many seconds more; then `turning` or `accelerating`.
    case waiting(Double)
    /// Parked for this many seconds more; then `accelerating`.
    case parked(Double)
}

/// A piece of road between two junctions.
package struct Leg: Sendable, Hashable {
    /// What kind of road it is.
    package let road: RoadClass
    /// Metres to the place where ``end`` happens.
    package let remaining: Double
    /// How the road bends, in degrees per metre, positive to the right.
    package let bend: Double
    /// What happens there.
    package let end: Manoeuvre
}

/// What happens at the end of a leg.
package enum Manoeuvre: Sendable, Hashable {
    /// Straight over the junction, on to a road of this class.
    case straightOn(RoadClass)
    /// Around a corner of this radius, in metres.
    case corner(radius: Double)
    /// A red light, for so many seconds.
    case light(Double)
    /// A parking place, for so many seconds.
    case park(Double)

    /// How fast the vehicle may be when it gets there, in metres per second.
    package var entrySpeed: Double {
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

    /// The speed at which the tyres hold with ``DrivingLimits/cornering``: 4 m/s at 8 m, 5.5 m/s at 15 m.
    package static func speed(atRadius radius: Double) -> Double {
        (DrivingLimits.cornering * radius).squareRoot()
    }
}

/// How hard a considerate driver drives, in metres per second squared.
package enum DrivingLimits {
    /// From standstill; it falls off towards the speed limit.
    package static let acceleration = 2.4
    /// On the way to a corner, a light or a parking place.
    package static let braking = 2.2
    /// Sideways, in a corner.
    package static let cornering = 2.0
    /// Sideways, in a bend at the speed limit.
    package static let bend = 1.2
    /// While turning, so that both together stay comfortable.
    package static let accelerationInTurn = 1.2
}
