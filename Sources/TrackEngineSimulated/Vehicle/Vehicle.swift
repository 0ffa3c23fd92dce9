package import TrackEngine

/// A vehicle on a plane: its true position, its motion, and its next manoeuvre.
///
/// A pure value. The same seed drives the same route; speed, heading and position change continuously, within
/// ``DriveLimits``. There is no map of roads: a leg has the distance to the next junction, and the ``DrivePlan``
/// chooses the manoeuvre there.
package struct Vehicle: Sendable {
    package private(set) var place = LocalPosition.origin
    /// Metres per second.
    package private(set) var speed = 0.0
    /// Degrees clockwise from the plane's north, 0 ..< 360.
    package private(set) var heading: Double
    /// Metres driven so far.
    package private(set) var odometer = 0.0
    /// The current phase.
    package private(set) var phase: DrivePhase

    private var itinerary: DrivePlan
    private var road = RoadKind.city

    /// Creates a vehicle that is at rest at the origin and is about to drive off.
    package init(parking: ParkingModel, stops: [LocalPosition] = [], random: SplitMix64) {
        itinerary = DrivePlan(parking: parking, stops: stops, random: random)
        heading = itinerary.initialHeading()
        phase = .accelerating(itinerary.leg(on: .city, from: .origin, heading: heading))
    }

    /// Simulates a short time, at most 0.1 s for the motion to stay smooth.
    package mutating func advance(bySeconds step: Double) {
        switch phase {
        case .accelerating(let leg): accelerate(on: leg, for: step)
        case .cruising(let leg): cruise(on: leg, for: step)
        case .braking(let manoeuvre): brake(for: manoeuvre, step)
        case .turning(let turn): follow(turn, for: step)
        case .waiting(let seconds): wait(seconds - step)
        case .parked(let seconds): park(seconds - step)
        }
    }

    // MARK: Phases

    private mutating func accelerate(on leg: Leg, for step: Double) {
        let eagerness = 1 - 0.7 * min(speed / leg.road.limit, 1)
        let target = min(speed + DriveLimits.acceleration * eagerness * step, leg.road.limit)
        let rest = leg.shortened(by: drive(to: target, bend: leg.bend, for: step))
        phase = target < leg.road.limit ? .accelerating(rest) : .cruising(rest)
        brakeIfDue(rest)
    }

    private mutating func cruise(on leg: Leg, for step: Double) {
        let rest = leg.shortened(by: drive(to: speed, bend: leg.bend, for: step))
        phase = .cruising(rest)
        brakeIfDue(rest)
    }

    private mutating func brakeIfDue(_ leg: Leg) {
        let excess = speed * speed - leg.end.entrySpeed * leg.end.entrySpeed
        if leg.remaining <= max(excess / (2 * DriveLimits.braking), 0) { phase = .braking(for: leg.end) }
    }

    private mutating func brake(for manoeuvre: LegEnd, _ step: Double) {
        let target = max(speed - DriveLimits.braking * step, min(manoeuvre.entrySpeed, speed))
        drive(to: target, bend: 0, for: step)
        if target <= manoeuvre.entrySpeed { begin(manoeuvre) }
    }

    private mutating func begin(_ manoeuvre: LegEnd) {
        switch manoeuvre {
        case .straightOn(let next): enter(next)
        case .corner(let radius): phase = .turning(itinerary.turn(radius: radius, heading: heading, at: place))
        case .light(let seconds): phase = .waiting(seconds)
        case .park(let seconds): phase = .parked(seconds)
        }
    }

    private mutating func follow(_ turn: Turn, for step: Double) {
        let target = min(speed + DriveLimits.accelerationInTurn * step, Turn.speed(atRadius: turn.radius))
        let arc = (speed + target) / 2 * step / turn.radius * (180 / .pi)
        let turned = min(arc, abs(turn.remaining)) * (turn.remaining < 0 ? -1 : 1)
        drive(to: target, turning: turned, for: step)
        let rest = Turn(remaining: turn.remaining - turned, radius: turn.radius)
        if rest.remaining == 0 { enter(itinerary.road(after: road)) } else { phase = .turning(rest) }
    }

    private mutating func wait(_ seconds: Double) {
        guard seconds <= 0 else {
            phase = .waiting(seconds)
            return
        }
        if let turn = itinerary.turnAfterLight(heading: heading, at: place) {
            phase = .turning(turn)
        } else {
            enter(itinerary.road(after: road))
        }
    }

    private mutating func park(_ seconds: Double) {
        if seconds > 0 { phase = .parked(seconds) } else { enter(.residential) }
    }

    private mutating func enter(_ next: RoadKind) {
        road = next
        phase = .accelerating(itinerary.leg(on: next, from: place, heading: heading))
    }

    // MARK: Motion

    @discardableResult
    private mutating func drive(to target: Double, bend: Double, for step: Double) -> Double {
        drive(to: target, turning: bend * (speed + target) / 2 * step, for: step)
    }

    /// Moves with constant acceleration, in the mean direction of the step; returns the distance.
    @discardableResult
    private mutating func drive(to target: Double, turning angle: Double, for step: Double) -> Double {
        let length = (speed + target) / 2 * step
        let (sine, cosine) = Angle.sineAndCosine(ofDegrees: heading + angle / 2)
        place = place + LocalPosition(east: length * sine, north: length * cosine)
        heading = Angle.inFullCircle(heading + angle)
        speed = target
        odometer += length
        itinerary.drive(seconds: step)
        return length
    }
}

extension Leg {
    fileprivate func shortened(by length: Double) -> Leg {
        Leg(road: road, remaining: remaining - length, bend: bend, end: end)
    }
}
