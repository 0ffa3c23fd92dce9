/// The errors of a simulated receiver.
public struct NoiseModel: Sendable, Hashable {
    /// Standard deviation of the position error along each horizontal axis with ten satellites, in metres, 0 to 100;
    /// by default 1.5. With fewer satellites the error grows, with more it shrinks.
    public var position = 1.5
    /// The time until 1/e of a position error remains, 1 s to 1 h; by default 30 s.
    public var correlation = Duration.seconds(30)
    /// Standard deviation of the altitude error, in metres, 0 to 100; by default 3.
    public var altitude = 3.0
    /// Standard deviation along each axis of the additional position error at standstill, in metres, 0 to 100; by
    /// default 2.5. It appears within half a minute and disappears when the vehicle drives off.
    public var parkedDrift = 2.5
    /// The time until 1/e of a drift remains, 1 s to 24 h; by default 120 s.
    public var parkedDriftCorrelation = Duration.seconds(120)
    /// Standard deviation of the speed error, in metres per second, 0 to 10; by default 0.1.
    public var speed = 0.1
    /// The number of tunnels, without fixes, that the vehicle enters per hour of driving, 0 to 3600; by default 2.
    public var dropoutsPerHour = 2.0
    /// The duration of such a tunnel, 0.1 s to 1 h; by default 5 to 20 s.
    public var dropoutDuration = Duration.seconds(5) ... .seconds(20)
    /// The number of single fixes per hour with a large error that is not reflected in their accuracy, 0 to 3600; by
    /// default none.
    public var outliersPerHour = 0.0
    /// The size of such an error, in metres, 0 to 100 000; by default 50 to 300.
    public var outlierDistance = 50.0...300.0

    /// A good receiver under open sky.
    public init() {}

    /// A good receiver under open sky, the same as `NoiseModel()`.
    public static let openSky = NoiseModel()

    /// A receiver without errors.
    public static let none: NoiseModel = {
        var model = NoiseModel()
        model.position = 0
        model.altitude = 0
        model.parkedDrift = 0
        model.speed = 0
        model.dropoutsPerHour = 0
        return model
    }()

    /// A cheap receiver between tall buildings: 4 m of noise, 5 m of drift, six tunnels and twelve outliers per hour.
    public static let urban: NoiseModel = {
        var model = NoiseModel()
        model.position = 4
        model.altitude = 8
        model.parkedDrift = 5
        model.speed = 0.3
        model.dropoutsPerHour = 6
        model.outliersPerHour = 12
        return model
    }()
}
