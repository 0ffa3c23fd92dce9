import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineGPSD
import TrackEngineHTTP
import TrackEngineMQTT
import TrackEnginePlaces
import TrackEngineServer
import TrackEngineSettings
import TrackEngineSimulated

/// A key with a number, and the check of a program that sets the number itself.
struct NumericKey: Sendable, CustomTestStringConvertible {
    typealias Check = @Sendable (Double) throws(ConfigurationError) -> Void

    /// The key of the reference.
    let key: String
    /// The configuration around the key; `@` is its value.
    let yaml: String
    /// The key in a program, where it has another name there.
    let alias: String?
    /// Checks a value as a program does.
    let check: Check

    var testDescription: String { key }

    init(_ key: String, _ yaml: String, alias: String? = nil, _ check: @escaping Check) {
        (self.key, self.yaml, self.alias, self.check) = (key, yaml, alias, check)
    }

    /// The key's own name.
    var name: String { key.lastName }

    /// The names of the keys that a program has problems with.
    func problems(with value: Double) -> Set<String> {
        do throws(ConfigurationError) {
            try check(value)
            return []
        } catch {
            return Set(error.problems.map { $0.key == alias ? name : $0.key.lastName })
        }
    }

    /// The names of the keys that a configuration file has problems with.
    func problems(inYAML value: String) -> Set<String> {
        Set(
            Given.problems(yaml.replacing("@", with: value)).map { String($0.prefix { $0 != "=" }.dropLast()).lastName }
        )
    }
}

extension String {
    fileprivate var lastName: String { split(separator: ".").last.map(String.init) ?? self }
}

// MARK: - Keys

extension NumericKey {
    static let all = sources + tracking + profiles + events + stores + deliveries + httpSinks + mqttSinks + files

    private static func sink(
        _ key: String, _ type: String, _ keys: String, alias: String? = nil, _ check: @escaping Check
    ) -> NumericKey {
        NumericKey("sinks.\(key)", "sinks: [{type: \(type), \(keys)}]", alias: alias, check)
    }

    private static func refuse(_ problems: [ConfigurationProblem]) throws(ConfigurationError) {
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }

    private static let sources: [NumericKey] = [
        NumericKey("sources.gpsd.port", "sources: [{type: gpsd, port: @}]") { value throws(ConfigurationError) in
            // Its type has no other values.
            let port = UInt16(exactly: value) ?? 0
            _ = try GPSDSource(configuration: .init(host: "h", port: port))
        },
        NumericKey("sources.replay.speed", "sources: [{type: replay, path: a, speed: @}]") {
            value throws(ConfigurationError) in
            _ = try ReplaySource(configuration: .init(path: "a", pace: .speed(value)))
        },
        NumericKey("sources.simulated.rate", "sources: [{type: simulated, rate: @}]") {
            value throws(ConfigurationError) in
            try SimulatedSource.Configuration(seed: 1, rate: Int(value)).validate()
        },
        NumericKey("sources.simulated.duration", "sources: [{type: simulated, duration: @}]") {
            value throws(ConfigurationError) in
            try SimulatedSource.Configuration(seed: 1, duration: .seconds(value)).validate()
        },
    ]

    private typealias Recording = @Sendable (inout RecordingConfiguration, Double) -> Void

    /// The keys of `tracking`, the keys beside them that leave all of their range to them, and their properties.
    private static let recordingKeys: [(key: String, beside: String, set: Recording)] = [
        ("maximumDeviation", "", { $0.maximumDeviation = $1 }),
        ("maximumAltitudeDeviation", "", { $0.maximumAltitudeDeviation = $1 }),
        ("maximumInterval", "", { $0.maximumInterval = .seconds($1) }),
        ("interval", "", { $0.interval = .seconds($1) }),
        ("angle", "", { $0.angle = $1 }), ("accuracyGain", "", { $0.accuracyGain = $1 }),
        ("distanceFilter", "", { $0.distanceFilter = Int($1) }),
        ("speedMultiplier", "", { $0.speedMultiplier = $1 }), ("stationaryRadius", "", { $0.stationaryRadius = $1 }),
        ("minimumAccuracy", "", { $0.minimumAccuracy = $1 }),
        ("minimumSatellites", "", { $0.minimumSatellites = Int($1) }),
        ("requiredMotionDuration", "", { $0.requiredMotionDuration = .seconds($1) }),
        ("maximumThreshold", "distanceFilter: 0, ", { ($0.distanceFilter, $0.maximumThreshold) = (0, $1) }),
        ("stillAfter", "standbyAfter: 0, ", { ($0.standbyAfter, $0.stillAfter) = (.zero, .seconds($1)) }),
        ("standbyAfter", "stillAfter: 0, ", { ($0.stillAfter, $0.standbyAfter) = (.zero, .seconds($1)) }),
        ("standbyInterval", "", { $0.standbyInterval = .seconds($1) }), ("maximumSpeed", "", { $0.maximumSpeed = $1 }),
        ("maximumSpeedWithin", "", { $0.maximumSpeedWithin = .seconds($1) }),
        ("trustedSpeed", "", { $0.trustedSpeed = $1 }), ("maximumJump", "", { $0.maximumJump = $1 }),
        ("maximumJumpAfter", "", { $0.maximumJumpAfter = .seconds($1) }),
        ("maximumAge", "", { $0.maximumAge = .seconds($1) }), ("maximumLead", "", { $0.maximumLead = .seconds($1) }),
        ("flushTimeout", "", { $0.flushTimeout = .seconds($1) }),
    ]

    private static func recording(_ section: String, _ before: String, _ behind: String, _ keys: [String]?)
        -> [NumericKey]
    {
        recordingKeys.filter { keys?.contains($0.key) != false }.map { key, beside, set in
            NumericKey("\(section).\(key)", "\(before){\(beside)\(key): @}\(behind)") {
                value throws(ConfigurationError) in
                var configuration = RecordingConfiguration()
                set(&configuration, value)
                _ = try configuration.validated()
            }
        }
    }

    private static let tracking = recording("tracking", "tracking: ", "", nil)

    /// A profile has the rules of `tracking` for a part of its keys.
    private static let profiles = ["coarse", "fine"].flatMap { profile in
        recording(
            "profiles.\(profile)", "profiles: {\(profile): ", "}",
            [
                "distanceFilter", "speedMultiplier", "maximumThreshold", "maximumDeviation", "maximumInterval",
                "interval", "angle", "stationaryRadius", "minimumAccuracy", "stillAfter", "standbyAfter",
                "standbyInterval",
            ])
    }

    private static func stays(
        _ key: String, _ keys: String,
        _ set: @escaping @Sendable (inout VisitAndTripSettings, Double) -> Void
    ) -> NumericKey {
        NumericKey("events.\(key)", "events: {visits: true, \(keys): @}") {
            value throws(ConfigurationError) in
            var stays = VisitAndTripSettings()
            set(&stays, value)
            _ = try stays.validated()
        }
    }

    private static let here = Coordinate(latitude: 1, longitude: 1)

    private static func place(_ key: String, _ shape: String, _ make: @escaping Check) -> NumericKey {
        NumericKey("events.places.\(key)", "events: {places: [{name: a, \(shape), \(key): @}]}", make)
    }

    private static let circle = "latitude: 1, longitude: 1"

    private static let events: [NumericKey] = [
        stays("stopAfter", "gap: 86400, stopAfter") { ($0.gap, $0.stopAfter) = (.seconds(86_400), .seconds($1)) },
        stays("stayRadius", "stayRadius") { $0.radius = $1 },
        stays("minimumDistance", "minimumDistance") { $0.minimumDistance = $1 },
        stays("gap", "stopAfter: 30, gap") { ($0.stopAfter, $0.gap) = (.seconds(30), .seconds($1)) },
        NumericKey("events.heartbeat", "events: {heartbeat: @}") { value throws(ConfigurationError) in
            _ = try HeartbeatDetector(interval: .seconds(value))
        },
        place("radius", circle) { value throws(ConfigurationError) in
            _ = try Area.circle(centre: here, radius: value)
        },
        place("width", "line: ['1, 1', '1, 1.1']") { value throws(ConfigurationError) in
            _ = try Area.corridor(along: [here, Coordinate(latitude: 1, longitude: 1.1)], width: value)
        },
        place("dwell", circle) { value throws(ConfigurationError) in
            _ = try Place(id: "a", name: "a", area: .circle(centre: here, radius: 1), dwell: .seconds(value))
        },
        place("hysteresis", circle) { value throws(ConfigurationError) in
            _ = try Place(id: "a", name: "a", area: .circle(centre: here, radius: 1), hysteresis: value)
        },
        NumericKey(
            "wifi.zones.horizontalAccuracy",
            "wifi: {zones: [{name: a, ssid: b, latitude: 1, longitude: 1, horizontalAccuracy: @}]}"
        ) { value throws(ConfigurationError) in
            _ = try WifiZones([.init("a", ssid: "b", at: KnownPosition(here, horizontalAccuracy: value))])
        },
    ]

    private static let stores: [NumericKey] = [
        NumericKey("store.maxDaysToPersist", "store: {maxDaysToPersist: @}") { value throws(ConfigurationError) in
            _ = try RetentionConfiguration(maxDaysToPersist: Int(value)).validated()
        },
        NumericKey("store.maxRecords", "store: {maxRecords: @}") { value throws(ConfigurationError) in
            _ = try RetentionConfiguration(maxRecords: Int(value)).validated()
        },
        NumericKey("store.maxBytes", "store: {maxBytes: @}") { value throws(ConfigurationError) in
            _ = try RetentionConfiguration(maxBytes: Int64(value)).validated()
        },
        NumericKey("store.keepSyncedDays", "store: {keepSyncedDays: @}") { value throws(ConfigurationError) in
            _ = try RetentionConfiguration(keepSyncedDays: Int(value)).validated()
        },
    ]

    private static let address = "url: 'https://x.example'"

    private static func delivery(
        _ key: String, _ keys: String, _ set: @escaping @Sendable (inout SyncConfiguration, Double) -> Void
    ) -> NumericKey {
        sink("*.\(key)", "overland", "\(address), \(keys)") { value throws(ConfigurationError) in
            var sync = SyncConfiguration()
            set(&sync, value)
            _ = try sync.validated()
        }
    }

    private static let deliveries: [NumericKey] = [
        delivery("syncThreshold", "syncThreshold: @") { $0.syncThreshold = Int($1) },
        delivery("interval", "interval: @") { $0.interval = .seconds($1) },
        delivery("maxBatchSize", "maxBatchSize: @") { $0.maxBatchSize = Int($1) },
        delivery("backoff.maximum", "backoff: {maximum: @}") { $0.backoff.maximum = .seconds($1) },
    ]

    private static func overland(
        _ key: String, _ set: @escaping @Sendable (inout OverlandSink.Configuration, Double) -> Void
    ) -> NumericKey {
        sink("overland.\(key)", "overland", "\(address), \(key): @") { value throws(ConfigurationError) in
            var sink = OverlandSink.Configuration(url: "https://x.example", deviceID: "van-7")
            set(&sink, value)
            try refuse(sink.problems)
        }
    }

    private static func ownTracks(
        _ key: String, _ set: @escaping @Sendable (inout OwnTracksSink.Configuration, Double) -> Void
    ) -> NumericKey {
        sink("owntracks.\(key)", "owntracks", "\(address), \(key): @") { value throws(ConfigurationError) in
            var sink = OwnTracksSink.Configuration(url: "https://x.example", user: "jane", deviceID: "van-7")
            set(&sink, value)
            _ = try OwnTracksSink(configuration: sink)
        }
    }

    private static func miataru(
        _ key: String, _ set: @escaping @Sendable (inout MiataruSink.Configuration, Double) -> Void
    ) -> NumericKey {
        sink("miataru.\(key)", "miataru", "\(address), \(key): @") { value throws(ConfigurationError) in
            var sink = MiataruSink.Configuration(
                url: "https://x.example", identity: MiataruIdentity(deviceID: Secret("x")))
            set(&sink, value)
            try refuse(sink.problems)
        }
    }

    private static let httpSinks: [NumericKey] = [
        overland("assumedAccuracy") { $0.assumedAccuracy = Int($1) },
        overland("maximumBodyLength") { $0.maximumBodyLength = Int($1) },
        overland("httpTimeout") { $0.httpTimeout = .milliseconds($1) },
        ownTracks("assumedAccuracy") { $0.assumedAccuracy = Int($1) },
        ownTracks("httpTimeout") { $0.httpTimeout = .milliseconds($1) },
        miataru("retention") { $0.retention = Int($1) }, miataru("httpTimeout") { $0.httpTimeout = .milliseconds($1) },
        sink("osmand.httpTimeout", "osmand", "\(address), httpTimeout: @") { value throws(ConfigurationError) in
            var sink = OsmAndSink.Configuration(url: "https://x.example", deviceID: "van-7")
            sink.httpTimeout = .milliseconds(value)
            _ = try OsmAndSink(configuration: sink)
        },
        sink("http.httpTimeout", "http", "\(template), httpTimeout: @") { value throws(ConfigurationError) in
            var sink = templated
            sink.httpTimeout = .milliseconds(value)
            try refuse(sink.problems)
        },
        sink("http.success.status", "http", "\(template), success: {status: @}") { value throws(ConfigurationError) in
            var (sink, success) = (templated, HTTPSink.Configuration.SuccessRule())
            success.status = Int(value)
            sink.success = success
            try refuse(sink.problems)
        },
    ]

    private static let template = "url: 'https://x.example', body: '[%{latitude}, %{longitude}]'"
    private static var templated: HTTPSink.Configuration {
        var sink = HTTPSink.Configuration(url: "https://x.example", deviceID: "van-7")
        sink.body = "[%{latitude}, %{longitude}]"
        return sink
    }

    private static func mqtt(
        _ key: String, _ set: @escaping @Sendable (inout MQTTSink.Configuration, Double) -> Void
    ) -> NumericKey {
        sink("mqtt.\(key)", "mqtt", "url: 'mqtts://b.example', \(key): @") { value throws(ConfigurationError) in
            var sink = MQTTSink.Configuration(host: "b.example", deviceID: "van-7")
            sink.tls = .init()
            set(&sink, value)
            try refuse(sink.problemsWithoutFiles + sink.messages.problems)
        }
    }

    private static let mqttSinks: [NumericKey] = [
        mqtt("keepAlive") { $0.keepAlive = .seconds($1) }, mqtt("sessionExpiry") { $0.sessionExpiry = .seconds($1) },
        mqtt("acknowledgementTimeout") { $0.acknowledgementTimeout = .seconds($1) },
        mqtt("assumedAccuracy") { $0.messages.assumedAccuracy = Int($1) },
        sink("mqtt.confirm.timeout", "mqtt", "url: 'mqtts://b.example', confirm: {timeout: @}") {
            value throws(ConfigurationError) in
            var sink = MQTTSink.Configuration(host: "b.example", deviceID: "van-7")
            sink.tls = .init()
            sink.confirm = .init(topic: "confirmed", timeout: .seconds(value))
            try refuse(sink.problemsWithoutFiles)
        },
    ]

    private static func file(
        _ key: String, _ set: @escaping @Sendable (inout FileSink.Configuration, Double) -> Void
    ) -> NumericKey {
        sink("file.\(key)", "file", "directory: /srv/tracks, \(key): @") { value throws(ConfigurationError) in
            var sink = FileSink.Configuration(directory: "/srv/tracks")
            set(&sink, value)
            try refuse(sink.problems)
        }
    }

    private static let tiles = "https://x.example/{z}/{x}/{y}.png"

    private static let files: [NumericKey] = [
        file("fileSize") { $0.fileSize = Int64($1) }, file("keepDays") { $0.keepDays = Int($1) },
        file("maxBytes") { $0.maxBytes = Int64($1) },
        sink(
            "server.tiles.maxZoom", "server",
            "directory: /srv/server, tiles: {template: '\(tiles)', maxZoom: @}", alias: "tiles"
        ) { value throws(ConfigurationError) in
            guard TileServer(template: tiles, attribution: "", maximumZoom: Int(value)) == nil else { return }
            try refuse([ConfigurationProblem(key: "tiles", value: "\(value)", expectation: "a zoom")])
        },
    ]
}
