import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

/// What `trackd check --show` prints.
@Suite struct EffectiveConfigurationTests {
    @Test func `the defaults read back to the same configuration`() throws {
        let defaults = AgentConfiguration(stateDirectory: "/state")
        #expect(try Given.configuration(defaults.effectiveYAML) == defaults)
    }

    @Test func `everything but secrets reads back to the same configuration`() throws {
        let configuration = try Given.configuration(Given.everything)
        let again = try Given.configuration(configuration.effectiveYAML)
        #expect(again != configuration)
        #expect(again.effectiveYAML == configuration.effectiveYAML)
        #expect(again.device == configuration.device)
        #expect(again.sources == configuration.sources)
        #expect(again.tracking == configuration.tracking)
        #expect(again.store == configuration.store)
        #expect(again.sinks.map(\.name) == configuration.sinks.map(\.name))
        #expect(again.sinks.map(\.sync) == configuration.sinks.map(\.sync))
        #expect(again.control == configuration.control)
        #expect(again.log == configuration.log)
    }

    @Test func `a configuration whose secrets are elsewhere reads back entirely`() throws {
        let yaml = """
            device: {id: "null"}
            sinks:
              - {type: overland, url: "https://a.example/x", token: {credential: home.token}, headers: {X-Key: {env: K}}}
            """
        let configuration = try Given.configuration(yaml)
        #expect(try Given.configuration(configuration.effectiveYAML) == configuration)
    }

    @Test func `secrets are three stars`() throws {
        let yaml = try Given.configuration(Given.everything).effectiveYAML
        #expect(!yaml.contains("canary"))
        #expect(yaml.contains(#"url: "https://track.example.org/api?token=***&device=***""#))
        #expect(yaml.contains(#"password: "***""#))
        #expect(yaml.contains(#"token: {file: "/etc/trackd/token"}"#), "\(yaml)")
    }

    @Test func `every key is printed, in the order of the documentation`() {
        let yaml = AgentConfiguration(stateDirectory: "/state").effectiveYAML
        let expected = """
            device:
              id: null
            sources: automatic
            tracking:
              preset: null
              desiredAccuracy: best
              record: distance
              maximumDeviation: 10
              maximumAltitudeDeviation: null
              maximumInterval: 30
              interval: null
              angle: null
              accuracyGain: null
              distanceFilter: 16
              disableSpeedMultiplier: false
              speedMultiplier: 3.1
              stationaryRadius: 25
              fetchActivity: false
              minimumAccuracy: null
              minimumSatellites: null
              requiredMotionDuration: null
              maximumThreshold: null
              stillAfter: 60
              standbyAfter: 120
              standbyInterval: 30
              maximumSpeed: null
              maximumSpeedWithin: null
              trustedSpeed: null
              maximumJump: null
              maximumJumpAfter: 120
              maximumAge: null
              maximumLead: null
              flushTimeout: 5
            events:
              places: []
              placeFiles: []
              visits: false
              trips: false
              stopAfter: 180
              stayRadius: 50
              minimumDistance: 200
              gap: 3600
              heartbeat: null
              actions: false
              power: false
            profiles:
              coarse:
                desiredAccuracy: kilometer
                record: distance
                distanceFilter: 200
                disableSpeedMultiplier: true
                speedMultiplier: null
                maximumThreshold: null
                maximumDeviation: null
                maximumInterval: null
                interval: null
                angle: null
                stationaryRadius: null
                minimumAccuracy: null
                stillAfter: null
                standbyAfter: null
                standbyInterval: 120
              fine:
                desiredAccuracy: best
                record: distance
                distanceFilter: 5
                disableSpeedMultiplier: true
                speedMultiplier: null
                maximumThreshold: null
                maximumDeviation: null
                maximumInterval: null
                interval: null
                angle: null
                stationaryRadius: null
                minimumAccuracy: null
                stillAfter: null
                standbyAfter: null
                standbyInterval: null
              schedule:
                zone: null
                windows: []
                outside: normal
              power: []
              trips: []
            wifi:
              read: false
              interface: null
              zones: []
            store:
              type: sqlite
              path: /state
              maxDaysToPersist: 7
              maxRecords: 0
              maxBytes: 0
              keepSyncedDays: 0
              commitInterval: 0
              encryption: null
            sinks: []
            control:
              socket: /state/trackd.sock
              remoteKeys: []
            log:
              level: info
              format: text

            """
        #expect(yaml == expected)
    }

    @Test func `dumping a configuration reveals no secret`() throws {
        var text = ""
        dump(try Given.configuration("sinks: [{type: overland, url: 'https://x', token: canary}]"), to: &text)
        #expect(!text.contains("canary"))
    }
}
