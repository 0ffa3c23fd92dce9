import TrackEngine
import TrackEngineAgent
import TrackEngineHTTP
import TrackEngineMQTT
import TrackEngineSettings

/// Configurations as tests give them.
enum Given {
    /// What a text comes to, with nothing from this machine.
    static func configuration(
        _ yaml: String, isPrivate: Bool = true, environment: [String: String] = [:], options: [String] = []
    ) throws -> AgentConfiguration {
        let loader = ConfigurationReader(options: options, environment: environment, stateDirectory: "/state")
        return try loader.decode(.init(name: "trackd.yaml", bytes: Array(yaml.utf8), isPrivate: isPrivate))
    }

    /// Every problem of a text, a line each; none if it can be used.
    static func problems(
        _ yaml: String, isPrivate: Bool = true, environment: [String: String] = [:], options: [String] = []
    ) -> [String] {
        problems(Array(yaml.utf8), isPrivate: isPrivate, environment: environment, options: options)
    }

    static func problems(
        _ bytes: [UInt8], isPrivate: Bool = true, environment: [String: String] = [:], options: [String] = []
    ) -> [String] {
        let loader = ConfigurationReader(options: options, environment: environment, stateDirectory: "/state")
        do throws(AgentConfigurationError) {
            _ = try loader.decode(.init(name: "trackd.yaml", bytes: bytes, isPrivate: isPrivate))
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    /// The only sink of a configuration, if it is an Overland one.
    static func overlandSink(of configuration: AgentConfiguration) -> OverlandSettings? {
        configuration.sinks.count == 1 ? configuration.sinks.first?.kind as? OverlandSettings : nil
    }

    /// The only sink of a configuration, if it is an MQTT one.
    static func mqttSink(of configuration: AgentConfiguration) -> MQTTSettings? {
        configuration.sinks.count == 1 ? configuration.sinks.first?.kind as? MQTTSettings : nil
    }

    /// A configuration that says something about everything.
    static let everything = """
        device: {id: van-7}
        sources:
          - {type: gpsd, host: gps.local, port: 3000, device: /dev/ttyACM0}
          - {type: gpsd, name: roof}
          - type: replay
            path: [a.nmea, "b c.gpx"]
            format: nmea
            speed: max
          - {type: replay, path: c.csv, speed: 0.5, loop: true}
          - {type: simulated, vehicles: 3, rate: 10, seed: 18446744073709551615, start: [-33.9, 151.25],
             startTime: "2026-03-01T10:00:00.5Z", duration: 90.5}
        tracking:
          desiredAccuracy: hundredMeters
          distanceFilter: 50
          disableSpeedMultiplier: true
          speedMultiplier: 2.5
          stationaryRadius: 30.5
          fetchActivity: true
          minimumAccuracy: 100
          minimumSatellites: 5
          requiredMotionDuration: 0.25
          maximumThreshold: 500
          stillAfter: 30
          standbyAfter: 0
          standbyInterval: 10
          maximumSpeed: 60
          maximumAge: 10
          maximumLead: 20
          flushTimeout: 1.5
        store: {path: /srv/track, maxDaysToPersist: 30, maxRecords: 1000000, maxBytes: 64 MiB, keepSyncedDays: 2,
          commitInterval: 5}
        sinks:
          - type: overland
            name: home
            url: "https://track.example.org/api?token=canary-query&device=7"
            token: {file: /etc/trackd/token}
            headers: {X-Fleet: north, X-API-Key: {env: API_KEY}}
            profile: trace
            deviceID: van seven
            tls: {ca: /etc/ca.pem, certificate: /etc/c.pem, key: /etc/k.pem}
            timestamps: milliseconds
            integerSpeed: true
            battery: mains
            success: any2xx
            method: PUT
            httpTimeout: 2500
            autoSync: false
            syncThreshold: 3
            maxBatchSize: 10
            backoff: {maximum: 30, jitter: true}
          - {type: overland, url: "http://127.0.0.1:8080/", basicAuth: {user: van, password: canary-password}}
          - type: mqtt
            url: "mqtts://broker.example.org:8883"
            username: van-7
            password: canary-mqtt
            tls: {ca: /etc/ca.pem, certificate: /etc/c.pem, key: /etc/k.pem}
            clientID: van seven
            format: owntracks
            base: fleet/north
            topic: "owntracks/{user}/{device}"
            user: jane
            deviceID: van
            trackerID: V7
            assumedAccuracy: 50
            qos: 0
            retain: false
            last: true
            commands: [status, report]
            protocol: "3.1.1"
            keepAlive: 30
            sessionExpiry: 3600
            acknowledgementTimeout: 120
        control: {socket: null}
        log: {level: warning, format: json}
        """
}

extension WarningSettings {
    /// The warnings with settings of tracking that suit every receiver, and one source.
    var cautions: [String] {
        var tracking = RecordingConfiguration()
        (tracking.maximumThreshold, tracking.minimumAccuracy) = (100, 200)
        return cautions(beside: tracking, sourceCount: 1)
    }
}
