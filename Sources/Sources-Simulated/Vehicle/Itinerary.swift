/// Chooses the next parts of a drive: legs, lights, corners, parking places, and the way back before the vehicle is
/// too far from its start.
package struct Itinerary: Sendable {
    /// Beyond this distance from its start, in metres, every corner leads back towards it.
    static let roamingRadius = 3_000.0

    private let parking: ParkingBehaviour
    private var random: SplitMix64
    /// Seconds of driving until the next red light.
    private var untilLight = 0.0
    /// Seconds of driving until the next parking place; `nil` if the vehicle never parks.
    private var untilParking: Double?

    init(parking: ParkingBehaviour, random: SplitMix64) {
        self.parking = parking
        self.random = random
        scheduleLight()
        scheduleParking()
    }

    mutating func initialHeading() -> Double {
        random.uniform(in: 0...360)
    }

    /// Adds a number of seconds of driving.
    mutating func drive(seconds: Double) {
        untilLight -= seconds
        untilParking = untilParking.map { $0 - seconds }
    }

    /// The leg that begins here.
    mutating func leg(on road: RoadClass, from place: GroundPosition) -> Leg {
        let isFar = place.distanceFromOrigin > Self.roamingRadius
        let sharpest = DrivingLimits.bend / (road.limit * road.limit) * (180 / .pi)
        let bend = random.uniform(in: -sharpest...sharpest)
        let isStraight = random.chance(0.5) || isFar
        return Leg(
            road: road, remaining: random.uniform(in: road.legLength), bend: isStraight ? 0 : bend,
            end: manoeuvre(on: road, isFar: isFar))
    }

    private mutating func manoeuvre(on road: RoadClass, isFar: Bool) -> Manoeuvre {
        if let untilParking, untilParking <= 0 {
            scheduleParking()
            return .park(random.uniform(in: parking.seconds))
        }
        if untilLight <= 0 {
            scheduleLight()
            return .light(random.uniform(in: 8...45))
        }
        if isFar || random.chance(0.6) { return .corner(radius: random.uniform(in: 8...15)) }
        return .straightOn(road.neighbour(using: &random))
    }

    /// The turn at a corner: left or right, or towards the start if the vehicle is far away.
    mutating func turn(radius: Double, heading: Double, at place: GroundPosition) -> Turn {
        let angle = random.uniform(in: 70...110) * (random.chance(0.5) ? 1 : -1)
        guard place.distanceFromOrigin > Self.roamingRadius else { return Turn(remaining: angle, radius: radius) }
        let homewards = Angle.arctangent(y: -place.east, x: -place.north)
        let needed = (homewards - heading).remainder(dividingBy: 360)
        return Turn(remaining: min(max(needed, -120), 120), radius: radius)
    }

    /// The turn after a light, which one vehicle in three makes, and every vehicle that is far away.
    mutating func turnAfterLight(heading: Double, at place: GroundPosition) -> Turn? {
        let turns = random.chance(1.0 / 3)
        guard turns || place.distanceFromOrigin > Self.roamingRadius else { return nil }
        return turn(radius: random.uniform(in: 8...15), heading: heading, at: place)
    }

    /// The class of road after a corner or a light.
    mutating func road(after road: RoadClass) -> RoadClass {
        random.chance(0.5) ? road : road.neighbour(using: &random)
    }

    private mutating func scheduleLight() {
        untilLight = random.uniform(in: 30...70)
    }

    private mutating func scheduleParking() {
        untilParking = parking.drivingSeconds.map { random.uniform(in: $0) }
    }
}

/// A kind of road, with its speed limit and the length of its legs.
package enum RoadClass: Int, Sendable, Hashable, CaseIterable {
    case residential
    case city
    case arterial
    case rural

    /// The speed limit, in metres per second: 30, 50, 70 and 100 km/h.
    package var limit: Double {
        switch self {
        case .residential: 30 / 3.6
        case .city: 50 / 3.6
        case .arterial: 70 / 3.6
        case .rural: 100 / 3.6
        }
    }

    /// The distance between two junctions, in metres.
    package var legLength: ClosedRange<Double> {
        switch self {
        case .residential: 80...250
        case .city: 150...500
        case .arterial: 400...1_000
        case .rural: 600...2_000
        }
    }

    /// The class of road after a junction: one class up or down.
    package func neighbour(using random: inout SplitMix64) -> RoadClass {
        let step = random.chance(0.5) ? 1 : -1
        return RoadClass(rawValue: rawValue + step) ?? self
    }
}
