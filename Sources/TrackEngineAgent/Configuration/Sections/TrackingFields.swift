import TrackEngine
import TrackEngineSettings

extension RecordingConfiguration {
    /// The keys of the section `tracking`: CalmGeo's names and this engine's, in seconds and metres.
    ///
    /// CalmGeo's keys about delivery are in ``DeliverySettings``.
    static let fields: [Field<Self>] =
        [
            .preset.meaning(
                "Records as another program does: miataru-1 to miataru-5 are Miataru's levels with its gates; keys that are set override it."
            )
        ] + settings.map { Field($0) }

    /// Reads the section, and CalmGeo's keys about delivery in it.
    static func decode(_ root: inout TableDecoder) -> (RecordingConfiguration, DeliverySettings) {
        root.table("tracking") { table in
            var configuration = RecordingConfiguration()
            for field in fields { field.read(&table, &configuration) }
            table.rejectWhatContradicts(configuration)
            return (configuration, DeliverySettings.decode(&table))
        }
    }
}

/// CalmGeo's keys about delivery. In the agent they are part of `tracking`, as the defaults of all sinks and of the
/// store, which may override them.
struct DeliverySettings {
    /// The values of the keys that every sink has.
    var sync = Overlay<SyncConfiguration>()
    /// The values of the store's keys.
    var retention = Overlay<RetentionConfiguration>()
    /// The values of keys that only some types of sinks have, as they were given.
    var given: [ConfigurationNode.Member] = []

    /// The keys that are not about the store.
    static let keysOfSinks = ["autoSync", "syncThreshold", "maxBatchSize", "httpTimeout", "method"]

    static func decode(_ table: inout TableDecoder) -> DeliverySettings {
        for key in ["url", "token"] where table.node(key) != nil {
            table.reject(key, "***", "under sinks, as in sinks: [{type: overland, url: …, token: …}]")
        }
        var defaults = DeliverySettings()
        for field in SyncConfiguration.fields where keysOfSinks.contains(field.name) {
            field.read(&table, into: &defaults.sync, like: SyncConfiguration())
        }
        for field in RetentionConfiguration.fields where field.name == "maxDaysToPersist" {
            field.read(&table, into: &defaults.retention, like: RetentionConfiguration())
        }
        let timeout: Int? = table.integer("httpTimeout", CalmGeoConfiguration.httpTimeouts, "milliseconds")
        let method: HTTPMethod? = table.choice("method")
        for (key, isValid) in [("httpTimeout", timeout != nil), ("method", method != nil)] where isValid {
            if let node = table.node(key) { defaults.given.append(.init(key: key, node: node)) }
        }
        // Sinks that send this value send that of the track. An invalid one is reported at its line.
        if let node = table.node("desiredAccuracy"), DesiredAccuracy(node) != nil {
            defaults.given.append(.init(key: "desiredAccuracy", node: node))
        }
        return defaults
    }
}

extension TableDecoder {
    /// Reports problems that the core finds in the combination of values that are valid one by one.
    fileprivate func rejectWhatContradicts(_ configuration: RecordingConfiguration) {
        do throws(ConfigurationError) {
            _ = try configuration.validated()
        } catch {
            for problem in error.problems { reject(problem.key, nil, problem.expectation) }
        }
    }
}

extension Field<RecordingConfiguration> {
    /// Comes before the keys with defaults that it changes.
    fileprivate static var preset: Field {
        Field(
            "preset", .word, RecordingPreset.allCases.map(\.rawValue).inWords, isOptional: true,
            read: { table, configuration in
                guard !table.isOff("preset"), let preset: RecordingPreset = table.choice("preset") else { return }
                preset.apply(to: &configuration)
            },
            show: { $0.preset.map { .text($0.rawValue) } ?? .word("null") })
    }
}
