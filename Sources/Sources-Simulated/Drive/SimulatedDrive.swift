public import TrackEngine

/// The drive of one simulated vehicle, epoch by epoch: a pure, lazy, repeatable sequence.
///
/// The same configuration gives the same epochs, bit for bit, on every machine: everything is computed from integer
/// arithmetic and from operations that IEEE 754 defines exactly, nothing by the C library. The noise model and the pace
/// never change the way, and neither does the rate among 1, 2, 5 and 10 Hz, whose periods are all made of the same
/// steps of 0.1 s.
///
/// ```swift
/// for epoch in try SimulatedDrive(.init(seed: 7, duration: .seconds(3_600))) {
///     odometer.check(epoch.fix, against: epoch.truth)
/// }
/// ```
public struct SimulatedDrive: Sequence, IteratorProtocol, Sendable {
    /// How long the steps are at the most in which the way is integrated, in seconds.
    private static let longestStep = 0.1

    /// The number of the epoch that ``next()`` answers, from 0.
    public private(set) var index = 0

    private let startTime: Timestamp
    private let rate: Int
    private let epochs: Int?
    private let geoidSeparation: Double
    private let plane: LocalPlane
    private var vehicle: Vehicle
    private var receiver: Receiver

    /// The drive that a configuration describes; without a start time it begins at
    /// ``SimulatedSource/Configuration/defaultStartTime``.
    ///
    /// - Throws: `ConfigurationError` with everything that is wrong with the configuration.
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
        vehicle = Vehicle(parking: configuration.parking, random: random.split())
        receiver = Receiver(noise: configuration.noise, step: 1 / Double(configuration.rate), random: random.split())
    }

    /// The next epoch; `nil` when the configured duration is over.
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

    /// The epoch of this number, lived through from here; `nil` when the duration is over before.
    mutating func epoch(_ number: Int) -> SimulatedEpoch? {
        while let epoch = next() {
            if index > number { return epoch }
        }
        return nil
    }

    /// Lives through all epochs that are due before a time after the start.
    mutating func skip(until elapsed: Duration) {
        while Self.offset(ofEpoch: index, rate: rate) < elapsed, next() != nil {}
    }

    /// When an epoch is due after the first one, to the nanosecond and without accumulating anything.
    static func offset(ofEpoch index: Int, rate: Int) -> Duration {
        let (seconds, part) = index.quotientAndRemainder(dividingBy: rate)
        return .seconds(seconds) + .nanoseconds(part * 1_000_000_000 / rate)
    }
}
