public import TrackEngine

extension SimulatedSource {
    /// What a simulated vehicle is like.
    public struct Configuration: Sendable, Hashable {
        /// How fast simulated time passes.
        public enum Pace: Sendable, Hashable {
            /// As in life: a fix comes when it is due.
            case realTime
            /// As fast as the engine takes the fixes.
            case asFastAsPossible
        }

        /// What all chance comes from; every number is as good as any other, by default 1.
        public var seed: UInt64
        /// The number of the vehicle in its fleet, 0 to 1 000 000; each has a way and a home of its own.
        public var vehicle = 0
        /// Fixes per second, 1 to 10; by default 1.
        public var rate: Int
        /// Where vehicle 0 starts; the others do so up to a few kilometres from it. By default 52.52° N 13.405° E.
        public var start = Coordinate(latitude: 52.52, longitude: 13.405)
        /// The time of the first fix; by default the host's clock in real time and ``defaultStartTime`` otherwise.
        public var startTime: Timestamp?
        /// How long the drive is, over 0; by default without end.
        public var duration: Duration?
        /// How fast simulated time passes; by default as in life.
        public var pace: Pace
        /// How well the receiver sees.
        public var noise = NoiseModel()
        /// When the vehicle parks and for how long.
        public var parking = ParkingBehaviour.typical
        /// How far the mean sea level lies above the ellipsoid, in metres, -150 to 150; by default 40, as at the default
        /// start.
        public var geoidSeparation = 40.0

        /// 2026-01-01T00:00:00Z, where simulated time begins unless something else is said.
        public static let defaultStartTime = Timestamp(secondsSince1970: 1_767_225_600)

        /// One vehicle, with what is most often chosen; everything else has its default.
        public init(seed: UInt64 = 1, rate: Int = 1, duration: Duration? = nil, pace: Pace = .realTime) {
            self.seed = seed
            self.rate = rate
            self.duration = duration
            self.pace = pace
        }

        /// The configurations of a fleet: the same but for the vehicle's number.
        ///
        /// - Throws: `ConfigurationError` unless there are 1 to 1 000 000 vehicles.
        public func fleet(vehicles: Int) throws(ConfigurationError) -> [Configuration] {
            guard (1...1_000_000).contains(vehicles) else {
                throw ConfigurationError(problems: [
                    ConfigurationProblem(key: "vehicles", value: "\(vehicles)", expectation: "1 to 1000000")
                ])
            }
            return (0..<vehicles).map { index in
                var member = self
                member.vehicle = vehicle + index
                return member
            }
        }
    }
}

// MARK: What follows from it

extension SimulatedSource.Configuration {
    /// The vehicle's own chance.
    var generator: SplitMix64 {
        var root = SplitMix64(seed: seed)
        var fleet = SplitMix64(seed: root.next() ^ UInt64(vehicle))
        return fleet.split()
    }

    /// Where the vehicle starts: the fleet stands around ``start`` like the seeds of a sunflower, 300 m apart, each
    /// turned by the golden angle against the one before, so that any number finds room.
    var home: Coordinate {
        let (sine, cosine) = Angle.sineAndCosine(ofDegrees: Double(vehicle) * 137.507_764)
        let radius = 300 * Double(vehicle).squareRoot()
        return LocalPlane(at: start).coordinate(of: GroundPosition(east: radius * sine, north: radius * cosine))
    }

    /// How many epochs begin within ``duration``.
    var epochs: Int? {
        guard let duration else { return nil }
        let (seconds, attoseconds) = duration.components
        let whole = Int(clamping: seconds.multipliedReportingOverflow(by: Int64(rate)).partialValue)
        let part = Double(attoseconds) * 1e-18 * Double(rate)
        return whole + Int(part.rounded(.up))
    }
}

/// When a simulated vehicle parks and for how long.
public struct ParkingBehaviour: Sendable, Hashable {
    /// How long it drives before it looks for a parking place, as 1 s to 24 h; `nil`: it never parks.
    public var afterDriving: ClosedRange<Duration>?
    /// How long it stays there, as 1 s to 24 h.
    public var stay: ClosedRange<Duration>

    /// Describes a habit; each time, the values are drawn from the ranges.
    public init(afterDriving: ClosedRange<Duration>?, stay: ClosedRange<Duration>) {
        self.afterDriving = afterDriving
        self.stay = stay
    }

    /// Parks for 2 to 5 minutes after every 10 to 20 minutes on the road: the default.
    public static let typical = ParkingBehaviour(
        afterDriving: .seconds(600) ... .seconds(1_200), stay: .seconds(120) ... .seconds(300))

    /// Drives on for ever.
    public static let never = ParkingBehaviour(afterDriving: nil, stay: .seconds(120) ... .seconds(300))
}

extension ParkingBehaviour {
    var drivingSeconds: ClosedRange<Double>? { afterDriving?.inSeconds }
    var seconds: ClosedRange<Double> { stay.inSeconds }
}
