import TrackEngine
import TrackEngineSettings

extension RecordingConfiguration {
    /// The keys of the section `tracking`: CalmGeo's names and this engine's, in seconds and metres.
    ///
    /// CalmGeo's keys about delivery are in ``DeliveryDefaults``.
    static let fields: [Field<Self>] = [
        .preset.meaning(
            "Records as another program does: miataru-1 to miataru-5 are Miataru's levels with its gates; keys that are set override it."
        ),
        .desiredAccuracy("desiredAccuracy", \.desiredAccuracy).meaning(
            "How exact positions need to be; a coarse value asks the receiver for fewer fixes and rejects none."),
        .choice("record", \.record)
            .meaning(
                "Which fixes become records: by distance, any or all of distance, interval and angle, or deviation."),
        .positive("maximumDeviation", \.maximumDeviation, upTo: Bounds.maximumDeviation, "metres")
            .meaning("With deviation: how far the recorded track may be from any accepted fix, over ground."),
        .positive(
            "maximumAltitudeDeviation", \.maximumAltitudeDeviation, upTo: Bounds.maximumAltitudeDeviation, "metres"
        )
        .meaning("With deviation: how far the recorded height may be from that of any fix; null for no matter."),
        .seconds("maximumInterval", \.maximumInterval, Bounds.maximumInterval)
            .meaning("With deviation: how far the newest record may lag behind a moving object; 0 sets no limit."),
        .seconds("interval", \.interval, Bounds.interval)
            .meaning("With any and all: the time between records of a moving object."),
        .positive("angle", \.angle, upTo: Bounds.angle, "degrees").meaning(
            "With any and all: the turn between records."),
        .positive("accuracyGain", \.accuracyGain, upTo: Bounds.accuracyGain, "metres")
            .meaning(
                "With distance: also records a fix that is more exact than the last record by this; null for none."),
        .integer("distanceFilter", \.distanceFilter, Bounds.distanceFilter, "metres")
            .meaning("The base distance between records; 0 keeps every fix that moved at all."),
        .flag("disableSpeedMultiplier", \.disableSpeedMultiplier)
            .meaning("Turns off that speed stretches the distance between records."),
        .number("speedMultiplier", \.speedMultiplier, Bounds.speedMultiplier)
            .meaning("How much each 5 m/s of speed stretches the distance between records."),
        .positive("stationaryRadius", \.stationaryRadius, upTo: Bounds.stationaryRadius, "metres")
            .meaning("The radius around the place of rest that a fix must leave to end standby."),
        .flag("fetchActivity", \.fetchActivity)
            .meaning("Adds the activity, such as driving or walking, to each record."),
        .positive("minimumAccuracy", \.minimumAccuracy, upTo: Bounds.minimumAccuracy, "metres")
            .meaning("Rejects fixes with a worse horizontal accuracy; a fix without an accuracy passes."),
        .seconds("requiredMotionDuration", \.requiredMotionDuration, Bounds.requiredMotionDuration)
            .meaning("Records only in motion that has lasted so long, and until rest has; null records always."),
        .positive("maximumThreshold", \.maximumThreshold, upTo: 1_000_000_000, "metres")
            .meaning("A cap on the distance that speed has stretched."),
        .seconds("stillAfter", \.stillAfter, Bounds.stillAfter)
            .meaning("How long near fixes without a recorded movement must last to mean still; 0 for never."),
        .seconds("standbyAfter", \.standbyAfter, Bounds.standbyAfter)
            .meaning("How long after the last movement the receiver may sleep; 0 for never."),
        .seconds("standbyInterval", \.standbyInterval, Bounds.standbyInterval).meaning(
            "How often the receiver looks in standby."),
        .positive("maximumSpeed", \.maximumSpeed, upTo: Bounds.maximumSpeed, "metres per second")
            .meaning("Rejects a fix that could only have been reached faster than this."),
        .seconds("maximumSpeedWithin", \.maximumSpeedWithin, Bounds.maximumSpeedWithin)
            .meaning("With maximumSpeed: judges only fixes that follow within this time; null for all."),
        .positive("trustedSpeed", \.trustedSpeed, upTo: Bounds.maximumSpeed, "metres per second")
            .meaning("With maximumSpeed: passes a fix that reports a speed up to this itself, accurate to 2 m/s."),
        .positive("maximumJump", \.maximumJump, upTo: Bounds.maximumJump, "metres")
            .meaning("Holds a fix so far away after a silence back until a second one within 150 m confirms it."),
        .seconds("maximumJumpAfter", \.maximumJumpAfter, Bounds.maximumJumpAfter).meaning(
            "With maximumJump: how long the silence is."),
        .seconds("maximumAge", \.maximumAge, Bounds.maximumAge)
            .meaning("Rejects live fixes that are older by the wall clock."),
        .seconds("maximumLead", \.maximumLead, Bounds.maximumLead)
            .meaning("Rejects live fixes that are farther in the future by the wall clock."),
        .seconds("flushTimeout", \.flushTimeout, Bounds.flushTimeout)
            .meaning("How long a graceful stop may spend on a last delivery."),
    ]

    /// Reads the section, and CalmGeo's keys about delivery in it.
    static func decode(_ root: inout TableDecoder) -> (RecordingConfiguration, DeliveryDefaults) {
        root.table("tracking") { table in
            var configuration = RecordingConfiguration()
            for field in fields { field.read(&table, &configuration) }
            table.rejectWhatContradicts(configuration)
            return (configuration, DeliveryDefaults.decode(&table))
        }
    }
}

/// CalmGeo's keys about delivery. In the agent they are part of `tracking`, as the defaults of all sinks and of the
/// store, which may override them.
struct DeliveryDefaults {
    var autoSync: Bool?
    var syncThreshold: Int?
    var maxBatchSize: Int?
    var maxDaysToPersist: Int?
    /// The values of keys that only some types of sinks have, as they were given.
    var given: [ConfigurationNode.Member] = []

    /// The keys that are not about the store.
    static let keysOfSinks = ["autoSync", "syncThreshold", "maxBatchSize", "httpTimeout", "method"]

    static func decode(_ table: inout TableDecoder) -> DeliveryDefaults {
        for key in ["url", "token"] where table.node(key) != nil {
            table.reject(key, "***", "under sinks, as in sinks: [{type: overland, url: …, token: …}]")
        }
        var defaults = DeliveryDefaults(
            autoSync: table.flag("autoSync"),
            syncThreshold: table.integer("syncThreshold", SyncConfiguration.Bounds.syncThreshold, "records"),
            maxBatchSize: table.integer("maxBatchSize", SyncConfiguration.Bounds.maxBatchSize, "records"),
            maxDaysToPersist: table.integer("maxDaysToPersist", RetentionConfiguration.Bounds.days, "days"))
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
