import TrackEngine
import TrackEngineSettings

extension RecordingConfiguration {
    /// The keys of the section `tracking`: CalmGeo's names and this engine's, in seconds and metres.
    ///
    /// The bounds are those of ``RecordingConfiguration/validated()``; a test compares the two. CalmGeo's keys about
    /// delivery are in ``DeliveryDefaults``.
    static let fields: [Field<Self>] = [
        .desiredAccuracy,
        .choice("record", \.record),
        .positive("maximumDeviation", \.maximumDeviation, upTo: 10_000, "metres"),
        .positive("maximumAltitudeDeviation", \.maximumAltitudeDeviation, upTo: 10_000, "metres"),
        .seconds("maximumInterval", \.maximumInterval, 0...86_400),
        .seconds("interval", \.interval, 0.1...86_400),
        .positive("angle", \.angle, upTo: 180, "degrees"),
        .integer("distanceFilter", \.distanceFilter, 0...100_000, "metres"),
        .flag("disableSpeedMultiplier", \.disableSpeedMultiplier),
        .number("speedMultiplier", \.speedMultiplier, 0...1000),
        .positive("stationaryRadius", \.stationaryRadius, upTo: 100_000, "metres"),
        .flag("fetchActivity", \.fetchActivity),
        .positive("minimumAccuracy", \.minimumAccuracy, upTo: 100_000, "metres"),
        .seconds("requiredMotionDuration", \.requiredMotionDuration, 0...3600),
        .positive("maximumThreshold", \.maximumThreshold, upTo: 1_000_000_000, "metres"),
        .seconds("stillAfter", \.stillAfter, 0...86_400),
        .seconds("standbyAfter", \.standbyAfter, 0...86_400),
        .seconds("standbyInterval", \.standbyInterval, 1...3600),
        .positive("maximumSpeed", \.maximumSpeed, upTo: 100_000, "metres per second"),
        .seconds("maximumAge", \.maximumAge, 1...86_400),
        .seconds("maximumLead", \.maximumLead, 1...86_400),
        .seconds("flushTimeout", \.flushTimeout, 0...600),
    ]

    /// Reads the section, and CalmGeo's keys about delivery that stand in it.
    static func decode(_ root: inout TableDecoder) -> (RecordingConfiguration, DeliveryDefaults) {
        root.table("tracking") { table in
            var configuration = RecordingConfiguration()
            for field in fields { field.read(&table, &configuration) }
            table.rejectWhatContradicts(configuration)
            return (configuration, DeliveryDefaults.decode(&table))
        }
    }
}

/// CalmGeo's keys about delivery: in the agent they stand in `tracking` as the defaults of all sinks and of the store,
/// which may say otherwise for themselves.
struct DeliveryDefaults {
    var autoSync: Bool?
    var syncThreshold: Int?
    var maxBatchSize: Int?
    var maxDaysToPersist: Int?
    /// What was given under keys that only some types of sinks have, each as it stands.
    var given: [ConfigurationNode.Member] = []

    static func decode(_ table: inout TableDecoder) -> DeliveryDefaults {
        for key in ["url", "token"] where table.node(key) != nil {
            table.reject(key, "***", "under sinks, as in sinks: [{type: overland, url: …, token: …}]")
        }
        var defaults = DeliveryDefaults(
            autoSync: table.flag("autoSync"),
            syncThreshold: table.integer("syncThreshold", 1...1_000_000, "records"),
            maxBatchSize: table.integer("maxBatchSize", 1...10_000, "records"),
            maxDaysToPersist: table.integer("maxDaysToPersist", 0...36_500, "days"))
        let timeout: Int? = table.integer("httpTimeout", 100...600_000, "milliseconds")
        let method: HTTPMethod? = table.choice("method")
        for (key, isValid) in [("httpTimeout", timeout != nil), ("method", method != nil)] where isValid {
            if let node = table.node(key) { defaults.given.append(.init(key: key, node: node)) }
        }
        return defaults
    }
}

extension TableDecoder {
    /// Reports what the core itself finds wrong with values that are right one by one.
    fileprivate func rejectWhatContradicts(_ configuration: RecordingConfiguration) {
        do throws(ConfigurationError) {
            _ = try configuration.validated()
        } catch {
            for problem in error.problems { reject(problem.key, nil, problem.expectation) }
        }
    }
}

extension Field<RecordingConfiguration> {
    /// A number as in Core Location, or a name.
    fileprivate static var desiredAccuracy: Field {
        Field(
            "desiredAccuracy",
            read: { table, configuration in
                let names = DesiredAccuracy.allCases.map(\.name).inWords
                let accuracy: DesiredAccuracy? = table.value(
                    "desiredAccuracy", "\(names), or -2, -1, 10, 100, 1000, 3000"
                ) {
                    node in
                    if let number = node.number { return DesiredAccuracy(rawValue: number) }
                    return DesiredAccuracy.allCases.first { $0.name == node.text }
                }
                if let accuracy { configuration.desiredAccuracy = accuracy }
            },
            show: { .text($0.desiredAccuracy.name) })
    }
}

extension DesiredAccuracy {
    fileprivate var name: String {
        switch self {
        case .bestForNavigation: "bestForNavigation"
        case .best: "best"
        case .tenMeters: "tenMeters"
        case .hundredMeters: "hundredMeters"
        case .kilometer: "kilometer"
        case .threeKilometers: "threeKilometers"
        }
    }
}
