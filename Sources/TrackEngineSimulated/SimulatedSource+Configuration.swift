public import TrackEngine

extension SimulatedSource {
    /// The properties of a simulated vehicle and its drive.
    public struct Configuration: Sendable, Hashable {
        /// The speed of simulated time.
        public enum Pace: Sendable, Hashable {
            /// In real time: a fix is emitted when it is due.
            case realTime
            /// As fast as the engine accepts the fixes.
            case asFastAsPossible
        }

        /// The seed of all random numbers; every value is equally good. By default 1.
        public var seed: UInt64
        /// The number of the vehicle in its fleet, 0 to 1 000 000; each has its own route and home.
        public var vehicle = 0
        /// Fixes per second, 1 to 10; by default 1.
        public var rate: Int
        /// The start of vehicle 0; the others start up to a few kilometres from it. By default 52.52° N 13.405° E.
        public var start = Coordinate(latitude: 52.52, longitude: 13.405)
        /// The time of the first fix; by default the host's clock in real time and ``defaultStartTime`` otherwise.
        public var startTime: Timestamp?
        /// The length of the drive, above 0; by default unlimited.
        public var duration: Duration?
        /// The speed of simulated time; by default real time.
        public var pace: Pace
        /// The errors of the receiver.
        public var noise = NoiseModel()
        /// The times and lengths of parking.
        public var parking = ParkingModel.typical
        /// The places that the vehicle drives to in turn, the first one after the last; it parks at each. They lie
        /// within 5 km of the start of the vehicle. By default none: the vehicle roams, and parks after a time.
        public var stops: [Coordinate] = []
        /// The height of mean sea level above the ellipsoid, in metres, -150 to 150; by default 40, as at the default
        /// start.
        public var geoidSeparation = 40.0

        /// 2026-01-01T00:00:00Z, the default start of simulated time.
        public static let defaultStartTime = Timestamp(secondsSince1970: 1_767_225_600)

        /// Creates a configuration of one vehicle with the most common options; all other values have their defaults.
        public init(seed: UInt64 = 1, rate: Int = 1, duration: Duration? = nil, pace: Pace = .realTime) {
            self.seed = seed
            self.rate = rate
            self.duration = duration
            self.pace = pace
        }

        /// The configurations of a fleet, which differ only in the vehicle's number.
        ///
        /// - Throws: `ConfigurationError` unless there are 1 to 1 000 000 vehicles.
        public func fleet(vehicles: Int) throws(ConfigurationError) -> [Configuration] {
            guard (1...1_000_000).contains(vehicles) else {
                throw ConfigurationError("vehicles", "\(vehicles)", "1 to 1000000")
            }
            return (0..<vehicles).map { index in
                var member = self
                member.vehicle = vehicle + index
                return member
            }
        }
    }
}

// MARK: Derived values

extension SimulatedSource.Configuration {
    /// The random numbers of the vehicle.
    var generator: SplitMix64 {
        var root = SplitMix64(seed: seed)
        var fleet = SplitMix64(seed: root.next() ^ UInt64(vehicle))
        return fleet.split()
    }

    /// The start of the vehicle. The fleet is arranged around ``start`` like the seeds of a sunflower, 300 m apart,
    /// each turned by the golden angle against the one before, so there is room for any number.
    var home: Coordinate {
        let (sine, cosine) = Angle.sineAndCosine(ofDegrees: Double(vehicle) * 137.507_764)
        let radius = 300 * Double(vehicle).squareRoot()
        return LocalPlane(at: start).coordinate(of: LocalPosition(east: radius * sine, north: radius * cosine))
    }

    /// The number of epochs that begin within ``duration``.
    var epochs: Int? {
        guard let duration else { return nil }
        let (seconds, attoseconds) = duration.components
        let whole = Int(clamping: seconds.multipliedReportingOverflow(by: Int64(rate)).partialValue)
        let part = Double(attoseconds) * 1e-18 * Double(rate)
        return whole + Int(part.rounded(.up))
    }
}

/// The times and lengths of a simulated vehicle's parking.
public struct ParkingModel: Sendable, Hashable {
    /// The driving time before it looks for a parking place, from 1 s to 24 h; `nil`: it never parks.
    public var afterDriving: ClosedRange<Duration>?
    /// The length of its stay, from 1 s to 24 h.
    public var stay: ClosedRange<Duration>

    /// Creates a habit; for each stop, the values are drawn from the ranges.
    public init(afterDriving: ClosedRange<Duration>?, stay: ClosedRange<Duration>) {
        self.afterDriving = afterDriving
        self.stay = stay
    }

    /// Parks for 2 to 5 minutes after every 10 to 20 minutes of driving: the default.
    public static let typical = ParkingModel(
        afterDriving: .seconds(600) ... .seconds(1_200), stay: .seconds(120) ... .seconds(300))

    /// Never parks.
    public static let never = ParkingModel(afterDriving: nil, stay: .seconds(120) ... .seconds(300))

    var drivingSeconds: ClosedRange<Double>? { afterDriving?.inSeconds }
    var seconds: ClosedRange<Double> { stay.inSeconds }
}
