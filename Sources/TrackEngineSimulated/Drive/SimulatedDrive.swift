public import TrackEngine

/// The drive of one simulated vehicle, epoch by epoch: a pure, lazy, repeatable sequence.
///
/// The same configuration results in the same epochs, bit for bit, on every machine: all values are computed with
/// integer arithmetic and with operations that IEEE 754 defines exactly, without the C library. The noise model and
/// the pace never change the route, and neither does the rate among 1, 2, 5 and 10 Hz, whose periods all consist of
/// the same steps of 0.1 s.
///
/// ```swift
/// for epoch in try SimulatedDrive(.init(seed: 7, duration: .seconds(3_600))) {
///     odometer.check(epoch.fix, against: epoch.truth)
/// }
/// ```
public struct SimulatedDrive: Sequence, IteratorProtocol, Sendable {
    /// The maximum length of the steps in which the route is integrated, in seconds.
    private static let longestStep = 0.1

    /// The number of the epoch that ``next()`` returns next, from 0.
    public private(set) var index = 0

    private let startTime: Timestamp
    private let rate: Int
    private let epochs: Int?
    private let geoidSeparation: Double
    private let plane: LocalPlane
    private var vehicle: Vehicle
    private var receiver: Receiver

    /// Creates the drive for a configuration. Without a start time it begins at
    /// ``SimulatedSource/Configuration/defaultStartTime``.
    ///
    /// - Throws: `ConfigurationError` with all problems of the configuration.
    public init(_ configuration: SimulatedSource.Configuration) throws(ConfigurationError) {
        try configuration.validate()
        self.init(
            valid: configuration,
            startTime: configuration.startTime ?? SimulatedSource.Configuration.defaultStartTime)
    }

    init(valid configuration: SimulatedSource.Configuration, startTime: Timestamp) {
        var random = configuration.generator
        self.startTime = startTime
        rate = configuration.rate
        epochs = configuration.epochs
        geoidSeparation = configuration.geoidSeparation
        plane = LocalPlane(at: configuration.home)
        let plane = plane
        vehicle = Vehicle(
            parking: configuration.parking, stops: configuration.stops.map { plane.place(of: $0) },
            random: random.split())
        receiver = Receiver(noise: configuration.noise, step: 1 / Double(configuration.rate), random: random.split())
    }

    /// The next epoch; `nil` after the configured duration.
    public mutating func next() -> SimulatedEpoch? {
        if let epochs, index >= epochs { return nil }
        if index > 0 { advanceVehicle() }
        let truth = SimulatedTruth(
            time: startTime.advanced(by: Self.offset(ofEpoch: index, rate: rate)),
            coordinate: plane.coordinate(of: vehicle.place), altitude: Terrain.height(at: vehicle.place),
            speed: vehicle.speed, course: plane.course(heading: vehicle.heading, at: vehicle.place),
            odometer: vehicle.odometer, phase: vehicle.phase.name)
        let fix = receiver.observe(truth, at: vehicle.place, on: plane, geoidSeparation: geoidSeparation)
        index += 1
        return SimulatedEpoch(truth: truth, fix: fix)
    }

    private mutating func advanceVehicle() {
        let period = 1 / Double(rate)
        let steps = Int((period / Self.longestStep).rounded(.up))
        for _ in 0..<steps { vehicle.advance(bySeconds: period / Double(steps)) }
    }

    /// The epoch with this number, simulating all epochs before it; `nil` if the duration ends before.
    mutating func epoch(_ number: Int) -> SimulatedEpoch? {
        while let epoch = next() {
            if index > number { return epoch }
        }
        return nil
    }

    /// Simulates and skips all epochs that are due before a time after the start.
    mutating func skip(until elapsed: Duration) {
        while Self.offset(ofEpoch: index, rate: rate) < elapsed, next() != nil {}
    }

    /// The time between the first epoch and another, to the nanosecond and without accumulated errors.
    static func offset(ofEpoch index: Int, rate: Int) -> Duration {
        let (seconds, part) = index.quotientAndRemainder(dividingBy: rate)
        return .seconds(seconds) + .nanoseconds(part * 1_000_000_000 / rate)
    }
}
