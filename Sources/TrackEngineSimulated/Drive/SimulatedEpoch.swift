public import TrackEngine

/// One epoch of a simulated drive: the true values, and the receiver's fix.
public struct SimulatedEpoch: Sendable, Hashable {
    /// The true values.
    public let truth: SimulatedTruth
    /// The receiver's fix; `nil` if it saw no satellites.
    public let fix: Fix?
}

/// The true position and motion of a simulated vehicle.
public struct SimulatedTruth: Sendable, Hashable {
    /// A phase of driving.
    public enum Phase: Sendable, Hashable, CaseIterable {
        /// Accelerating.
        case accelerating
        /// At the road's speed limit.
        case cruising
        /// Slowing down.
        case braking
        /// In a corner.
        case turning
        /// Waiting at a red light.
        case waiting
        /// Parked.
        case parked
    }

    /// The time.
    public let time: Timestamp
    /// The position.
    public let coordinate: Coordinate
    /// Height above mean sea level, in metres.
    public let altitude: Double
    /// Speed over ground, in metres per second; 0 at standstill.
    public let speed: Double
    /// Course over ground, in degrees from true north, 0 ..< 360; at standstill the direction of the vehicle's front.
    public let course: Double
    /// The distance since the start in metres, as a perfect odometer shows it.
    public let odometer: Double
    /// The phase of driving.
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

extension DrivePhase {
    /// The phase without its associated values.
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
