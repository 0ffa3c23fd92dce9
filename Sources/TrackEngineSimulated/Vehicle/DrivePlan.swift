import TrackEngine

/// Chooses the next parts of a drive: legs, lights, corners, parking places, and either the way to the next stop or the
/// way back before the vehicle is too far from its start.
package struct DrivePlan: Sendable {
    /// Beyond this distance from its start, in metres, every corner leads back towards it.
    static let roamingRadius = 3_000.0

    private let parking: ParkingModel
    /// The places to drive to in turn; without any, the vehicle roams.
    private let stops: [LocalPosition]
    private var nextStop = 0
    private var random: SplitMix64
    /// Seconds of driving until the next red light.
    private var untilLight = 0.0
    /// Seconds of driving until the next parking place; `nil` if the vehicle never parks.
    private var untilParking: Double?

    init(parking: ParkingModel, stops: [LocalPosition] = [], random: SplitMix64) {
        self.parking = parking
        self.stops = stops
        self.random = random
        scheduleLight()
        scheduleParking()
    }

    mutating func initialHeading() -> Double {
        let heading = random.uniform(in: 0...360)
        guard !stops.isEmpty else { return heading }
        return Angle.inFullCircle(bearing(from: .origin, heading: 0).angle + heading / 12 - 15)
    }

    /// Adds a number of seconds of driving.
    mutating func drive(seconds: Double) {
        untilLight -= seconds
        untilParking = untilParking.map { $0 - seconds }
    }

    /// The leg that begins here.
    mutating func leg(on road: RoadKind, from place: LocalPosition, heading: Double) -> Leg {
        if !stops.isEmpty { return legToStop(on: road, from: place, heading: heading) }
        let isFar = place.distanceFromOrigin > Self.roamingRadius
        let sharpest = DriveLimits.bend / (road.limit * road.limit) * (180 / .pi)
        let bend = random.uniform(in: -sharpest...sharpest)
        let isStraight = random.chance(0.5) || isFar
        return Leg(
            road: road, remaining: random.uniform(in: road.legLength), bend: isStraight ? 0 : bend,
            end: manoeuvre(on: road, isFar: isFar))
    }

    private mutating func manoeuvre(on road: RoadKind, isFar: Bool) -> LegEnd {
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
    mutating func turn(radius: Double, heading: Double, at place: LocalPosition) -> Turn {
        let angle = random.uniform(in: 70...110) * (random.chance(0.5) ? 1 : -1)
        if !stops.isEmpty {
            let detour = bearing(from: place, heading: heading).distance > Self.zigzag ? angle / 4 : 0
            return turn(radius: radius, by: bearing(from: place, heading: heading).angle + detour)
        }
        guard place.distanceFromOrigin > Self.roamingRadius else { return Turn(remaining: angle, radius: radius) }
        let homewards = Angle.arctangent(y: -place.east, x: -place.north)
        return turn(radius: radius, by: homewards - heading)
    }

    private func turn(radius: Double, by angle: Double) -> Turn {
        Turn(remaining: min(max(angle.remainder(dividingBy: 360), -120), 120), radius: radius)
    }

    /// The turn after a light, which one vehicle in three makes, and every vehicle that is far away.
    mutating func turnAfterLight(heading: Double, at place: LocalPosition) -> Turn? {
        let turns = random.chance(1.0 / 3)
        guard turns || !stops.isEmpty || place.distanceFromOrigin > Self.roamingRadius else { return nil }
        return turn(radius: random.uniform(in: 8...15), heading: heading, at: place)
    }

    /// The class of road after a corner or a light.
    mutating func road(after road: RoadKind) -> RoadKind {
        guard stops.isEmpty else { return .city }
        return random.chance(0.5) ? road : road.neighbour(using: &random)
    }

    // MARK: Stops

    /// Farther from the next stop, in metres, the vehicle does not turn exactly towards it.
    private static let zigzag = 300.0
    /// The longest leg in a direction away from the stop, in metres.
    private static let longestDetour = 60.0
    /// A stop is reached by a leg that passes it within this distance, in metres.
    private static let nearEnough = 25.0

    /// The leg that ends at the next stop, if the vehicle heads for it, else one to a light or corner on the way there.
    private mutating func legToStop(on road: RoadKind, from place: LocalPosition, heading: Double) -> Leg {
        let (distance, angle) = bearing(from: place, heading: heading)
        let (sine, cosine) = Angle.sineAndCosine(ofDegrees: angle)
        if cosine > 0, abs(sine) * distance < Self.nearEnough, distance < road.legLength.upperBound {
            nextStop = (nextStop + 1) % stops.count
            return Leg(
                road: road, remaining: distance * cosine, bend: 0, end: .park(random.uniform(in: parking.seconds)))
        }
        var end = LegEnd.corner(radius: random.uniform(in: 8...15))
        if untilLight <= 0 {
            scheduleLight()
            end = .light(random.uniform(in: 8...45))
        }
        let longest = cosine > 0.5 ? max(distance * 0.6, Self.longestDetour) : Self.longestDetour
        let length = min(random.uniform(in: road.legLength), longest)
        return Leg(road: road, remaining: length, bend: 0, end: end)
    }

    /// The distance of the next stop, in metres, and its direction relative to the heading, in degrees.
    private func bearing(from place: LocalPosition, heading: Double) -> (distance: Double, angle: Double) {
        let way = stops[nextStop] + -1 * place
        let direction = Angle.arctangent(y: way.east, x: way.north)
        return (way.distanceFromOrigin, (direction - heading).remainder(dividingBy: 360))
    }

    private mutating func scheduleLight() {
        untilLight = random.uniform(in: 30...70)
    }

    private mutating func scheduleParking() {
        untilParking = parking.drivingSeconds.map { random.uniform(in: $0) }
    }
}

/// A kind of road, with its speed limit and the length of its legs.
package enum RoadKind: Int, Sendable, Hashable, CaseIterable {
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
    var legLength: ClosedRange<Double> {
        switch self {
        case .residential: 80...250
        case .city: 150...500
        case .arterial: 400...1_000
        case .rural: 600...2_000
        }
    }

    /// The class of road after a junction: one class up or down.
    package func neighbour(using random: inout SplitMix64) -> RoadKind {
        let step = random.chance(0.5) ? 1 : -1
        return RoadKind(rawValue: rawValue + step) ?? self
    }
}
