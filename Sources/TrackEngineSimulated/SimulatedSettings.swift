package import TrackEngine
public import TrackEngineSettings

extension SimulatedSource {
    /// `type: simulated`: simulated vehicles. An agent without a configuration uses one if it finds no other source,
    /// so that it has data to show.
    public static let plugin = SourcePlugin(SimulatedSettings.self, detection: detection)

    private static var detection: SourcePlugin.Detection {
        var detection = SourcePlugin.Detection(
            present: "a simulated vehicle drives instead", absent: "no simulated vehicle", isPresent: { true })
        detection.demonstration = SourcePlugin.Demonstration(
            source: SimulatedSettings.demonstration, configuration: DemonstrationPlace.configuration)
        return detection
    }
}

/// `{type: simulated, vehicles: 1, rate: 1, seed: 1}`: simulated vehicles.
package struct SimulatedSettings: SourceSettings {
    package static let type = "simulated"
    package static let summary = "Vehicles that are not there, for trying things out."

    /// The number of vehicles, 1 to 10 000; each is a separate source. Default 1.
    package var vehicles = 1
    /// Fixes per second and vehicle, 1 to 10. Default 1.
    package var rate = 1
    /// The seed of all random numbers. Default 1.
    package var seed: UInt64 = 1
    /// The start of the first vehicle. Default: the simulator's own.
    package var start: Coordinate?
    /// The time of the first fix. Default: now.
    package var startTime: Timestamp?
    /// The length of the drive, in seconds above 0 to 10 years. Default: unlimited.
    package var duration: Duration?
    /// The places that the vehicle drives to in turn; only for the demonstration. Default: it roams.
    package var stops: [Coordinate] = []

    package init() {}

    package static let fields: [Field<Self>] = [
        .integer("vehicles", \.vehicles, 1...10_000).meaning("How many vehicles drive; each is a source of its own."),
        .integer("rate", \.rate, SimulatedSource.Configuration.rates, "fixes per second").meaning(
            "How often each vehicle has a fix."),
        .integer("seed", \.seed, 0...UInt64.max)
            .meaning("The number from which all chance comes; the same number gives the same drive."),
        .value("start", \.start, .coordinate, show: { .coordinate($0) })
            .meaning("Where the first vehicle starts; null leaves it to the simulator."),
        .value("startTime", \.startTime, .time, show: { .text($0.rfc3339(.nanoseconds)) })
            .meaning("The time of the first fix; null for now."),
        .seconds("duration", \.duration, SimulatedSource.Configuration.durationSeconds)
            .meaning("How long the drive lasts; null for without end."),
    ]
}

extension ValueRule<Coordinate> {
    /// `[latitude, longitude]` in degrees.
    fileprivate static var coordinate: ValueRule {
        ValueRule(.list, "[latitude, longitude] in degrees") { node in
            guard let numbers = node.elements?.map(\.number), numbers.count == 2,
                let latitude = numbers[0], let longitude = numbers[1]
            else { return nil }
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            return coordinate.isValid ? coordinate : nil
        }
    }
}

extension ValueRule<Timestamp> {
    /// An RFC 3339 time.
    fileprivate static var time: ValueRule {
        ValueRule(.time, "a time such as 2026-03-01T10:00:00Z") { node in
            node.text.flatMap { Timestamp(rfc3339: $0) }
        }
    }
}

extension ConfigurationValue {
    fileprivate static func coordinate(_ coordinate: Coordinate) -> ConfigurationValue {
        .list([.word(coordinate.latitude.written), .word(coordinate.longitude.written)])
    }
}

extension SimulatedSettings {
    package func makeSources(
        named name: SourceID, _ context: PluginContext
    ) throws(ConfigurationError) -> [any FixSource] {
        var configuration = SimulatedSource.Configuration(seed: seed, rate: rate, duration: duration)
        configuration.start = start ?? configuration.start
        configuration.startTime = startTime
        configuration.stops = stops
        if !stops.isEmpty { configuration.parking = DemonstrationPlace.parking }
        return try SimulatedSource.fleet(vehicles: vehicles, id: name, like: configuration)
    }
}
