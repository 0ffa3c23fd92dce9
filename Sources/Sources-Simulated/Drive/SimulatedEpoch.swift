public import TrackEngine

/// One moment of a simulated drive: how it was, and what the receiver made of it.
public struct SimulatedEpoch: Sendable, Hashable {
    /// How it was.
    public let truth: SimulatedTruth
    /// What the receiver reported; `nil` where it saw no satellites.
    public let fix: Fix?
}

/// Where a simulated vehicle truly was and what it did.
public struct SimulatedTruth: Sendable, Hashable {
    /// What a vehicle does.
    public enum Phase: Sendable, Hashable, CaseIterable {
        /// Gaining speed.
        case accelerating
        /// At the road's speed limit.
        case cruising
        /// Losing speed.
        case braking
        /// In a corner.
        case turning
        /// Standing at a red light.
        case waiting
        /// Parked.
        case parked
    }

    /// The moment.
    public let time: Timestamp
    /// The place.
    public let coordinate: Coordinate
    /// Height above mean sea level, in metres.
    public let altitude: Double
    /// Speed over ground, in metres per second; 0 while it stands.
    public let speed: Double
    /// Course over ground, in degrees from true north, 0 ..< 360; while it stands, where its nose points.
    public let course: Double
    /// Metres driven since the start: what a perfect odometer shows.
    public let odometer: Double
    /// What the vehicle did.
    public let phase: Phase

    package init(
        time: Timestamp, coordinate: Coordinate, altitude: Double, speed: Double, course: Double, odometer: Double,
        phase: Phase
    ) {
        self.time = time
        self.coordinate = coordinate
        self.altitude = altitude
        self.speed = speed
        self.course = course
        self.odometer = odometer
        self.phase = phase
    }
}

extension DrivingPhase {
    /// The phase's name, without what lies ahead.
    var name: SimulatedTruth.Phase {
        switch self {
        case .accelerating: .accelerating
        case .cruising: .cruising
        case .braking: .braking
        case .turning: .turning
        case .waiting: .waiting
        case .parked: .parked
        }
    }
}
