import TestSupport
import Testing
import TrackEngineAgent
import TrackEngineSettings

/// What a user reads about a configuration that cannot be used; `Messages.golden` has it word for word.
@Suite struct BrokenConfigurationTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let yaml: String
        /// Where each problem is: line and key.
        let places: [String]

        var testDescription: String { name }
    }

    @Test(arguments: cases)
    func `each problem is named with line, key, value and expectation`(_ broken: Case) {
        expectMessages(Given.problems(broken.yaml), begin: broken.places, as: broken.name)
    }

    @Test func `all problems are reported at once, in the order of the file`() {
        let problems = Given.problems(
            """
            log: {level: loud}
            store:
              maxBytes: 12 parsecs
            tracking:
              distanceFilter: -1
              stilAfter: 3
            sinks:
              - {type: overland}
            """)
        #expect(problems.map { $0.prefix { $0 != " " } } == [1, 3, 5, 6, 8].map { "trackd.yaml:\($0):" })
    }

    @Test func `a value that cannot be used never becomes the default`() throws {
        #expect(throws: AgentConfigurationError.self) { try Given.configuration("tracking: {distanceFilter: 1e1}") }
    }

    @Test func `no message repeats a secret, whatever is wrong with it`() {
        let problems = Given.problems(
            """
            tracking: {url: "https://canary@x", token: canary}
            sinks:
              - type: overland
                url: "https://user:canary@example.org/"
                tokn: canary
                token: [canary]
                headers: {"X Bad": canary, Host: canary, X-Api-Key: "can\\nary"}
                basicAuth: {user: "a:canary", pasword: canary}
              - {type: overland, name: b, url: "http://example.org/?token=canary", token: canary, basicAuth: canary}
            """, isPrivate: false
        ).joined(separator: "\n")
        #expect(!problems.contains("canary") && !problems.contains("nary"), "\(problems)")
        #expect(problems.contains("tokn"))
    }

    static let cases: [Case] = [
        Case(
            name: "a word for a number", yaml: "tracking:\n  distanceFilter: abc",
            places: ["trackd.yaml:2: tracking.distanceFilter"]),
        Case(
            name: "a number in quotes", yaml: "tracking:\n  distanceFilter: \"50\"",
            places: ["trackd.yaml:2: tracking.distanceFilter"]),
        Case(
            name: "a number out of range", yaml: "tracking: {stillAfter: 90000}",
            places: ["trackd.yaml:1: tracking.stillAfter"]),
        Case(
            name: "not a number at all", yaml: "tracking: {speedMultiplier: .nan, maximumSpeed: 0}",
            places: ["trackd.yaml:1: tracking.speedMultiplier", "trackd.yaml:1: tracking.maximumSpeed"]),
        Case(
            name: "a misspelled key", yaml: "tracking:\n  distanceFitler: 50",
            places: ["trackd.yaml:2: tracking.distanceFitler"]),
        Case(
            name: "a key unlike any other", yaml: "log: {colour: blue}",
            places: ["trackd.yaml:1: log.colour"]),
        Case(
            name: "a key in the wrong case", yaml: "tracking: {distancefilter: 50}",
            places: ["trackd.yaml:1: tracking.distancefilter"]
        ),
        Case(
            name: "null for a number that must be there", yaml: "tracking: {distanceFilter: }",
            places: ["trackd.yaml:1: tracking.distanceFilter"]),
        Case(
            name: "yes for true", yaml: "tracking: {fetchActivity: yes}",
            places: ["trackd.yaml:1: tracking.fetchActivity"]),
        Case(
            name: "a list for a section", yaml: "store: [1, 2]",
            places: ["trackd.yaml:1: store"]),
        Case(
            name: "a table for a list", yaml: "sinks: {home: {type: overland}}",
            places: ["trackd.yaml:1: sinks"]),
        Case(
            name: "a text for the whole", yaml: "hello",
            places: ["trackd.yaml:1: configuration"]),
        Case(
            name: "an unknown type of source", yaml: "sources:\n  - type: gspd\n    hosst: x",
            places: ["trackd.yaml:2: sources.gspd.type"]),
        Case(
            name: "a source without a type", yaml: "sources:\n  - host: x",
            places: ["trackd.yaml:2: sources.0.type"]),
        Case(
            name: "a replay without a file, for ever", yaml: "sources: [{type: replay, speed: max, loop: true}]",
            places: ["trackd.yaml:1: sources.replay.path", "trackd.yaml:1: sources.replay.loop"]),
        Case(
            name: "two of one name", yaml: "sources:\n  - {type: gpsd, name: a}\n  - {type: simulated, name: a}",
            places: ["trackd.yaml:3: sources.1.name"]),
        Case(
            name: "standby before still", yaml: "tracking:\n  stillAfter: 60\n  standbyAfter: 30",
            places: ["trackd.yaml:3: tracking.standbyAfter"]),
        Case(
            name: "a cap below the base distance", yaml: "tracking: {maximumThreshold: 5}",
            places: ["trackd.yaml:1: tracking.maximumThreshold"]),
        Case(
            name: "retention that says two things",
            yaml: "tracking: {maxDaysToPersist: 3}\nstore:\n  maxDaysToPersist: 4",
            places: ["trackd.yaml:3: store.maxDaysToPersist"]),
        Case(
            name: "a device that MQTT could not name", yaml: "device: {id: a/b}",
            places: ["trackd.yaml:1: device.id"]),
        Case(
            name: "http to another machine", yaml: "sinks:\n  - type: overland\n    url: http://example.org/?token=x",
            places: ["trackd.yaml:3: sinks.overland.url"]),
        Case(
            name: "a loopback that is none", yaml: "sinks: [{type: overland, url: 'http://127.0.0.1.example.org/'}]",
            places: ["trackd.yaml:1: sinks.overland.url"]),
        Case(
            name: "a sink without an address", yaml: "sinks:\n  - type: overland",
            places: ["trackd.yaml:2: sinks.overland.url"]),
        Case(
            name: "an address that no request can carry",
            yaml: "sinks: [{type: overland, url: 'https://h/?a={b}', headers: {Expect: x, \"X A\": y}}]",
            places: [
                "trackd.yaml:1: sinks.overland.url",
                "trackd.yaml:1: sinks.overland.headers.Expect",
                "trackd.yaml:1: sinks.overland.headers.a key of 3 characters",
            ]),
        Case(
            name: "half a client certificate", yaml: "sinks: [{type: overland, url: 'https://x', tls: {key: /k}}]",
            places: ["trackd.yaml:1: sinks.overland.tls"]),
        Case(
            name: "two ways to authorize",
            yaml: "sinks: [{type: overland, url: 'https://x', token: a, basicAuth: {user: u, password: p}}]",
            places: ["trackd.yaml:1: sinks.overland.basicAuth"]),
        Case(
            name: "a header field that the token sets",
            yaml: "sinks:\n- type: overland\n  url: https://x\n  token: a\n  headers:\n    authorization: b",
            places: ["trackd.yaml:5: sinks.overland.headers"]),
        Case(
            name: "files for TLS without TLS",
            yaml: "sinks:\n- type: overland\n  url: http://localhost/?token=x\n  tls: {ca: /a}",
            places: ["trackd.yaml:4: sinks.overland.tls"]),
        Case(
            name: "a header field twice",
            yaml: "sinks: [{type: overland, url: 'https://x', headers: {X-A: b, x-a: c}}]",
            places: ["trackd.yaml:1: sinks.overland.headers.x-a"]),
        Case(
            name: "a secret from two places",
            yaml: "sinks: [{type: overland, url: 'https://x', token: {file: /a, env: B}}]",
            places: ["trackd.yaml:1: sinks.overland.token"]),
        Case(
            name: "a credential that leads out of its directory",
            yaml: "sinks: [{type: overland, url: 'https://x', token: {credential: ../shadow}}]",
            places: ["trackd.yaml:1: sinks.overland.token"]),
        Case(
            name: "CalmGeo's address in the wrong place", yaml: "tracking: {url: 'https://x'}",
            places: ["trackd.yaml:1: tracking.url"]),
        Case(
            name: "a store below a MiB", yaml: "store: {maxBytes: 1000KiB}",
            places: ["trackd.yaml:1: store.maxBytes"]),
        Case(
            name: "a terminal's escape in a value", yaml: "log: {level: \"\\e[2Jloud\"}",
            places: ["trackd.yaml:1: log.level"]),
        Case(
            name: "a fraction for a whole number", yaml: "tracking: {distanceFilter: 5.5}",
            places: ["trackd.yaml:1: tracking.distanceFilter"]),
        Case(
            name: "a unit that fits, of too long a time", yaml: "tracking: {stillAfter: 2d}",
            places: ["trackd.yaml:1: tracking.stillAfter"]),
        Case(
            name: "a unit behind a number", yaml: "tracking: {stillAfter: 1min}",
            places: ["trackd.yaml:1: tracking.stillAfter"]),
        Case(
            name: "a word for a source", yaml: "sources: [gpsd]",
            places: ["trackd.yaml:1: sources.0"]),
        Case(
            name: "nothing for a sink", yaml: "sinks:\n  - null",
            places: ["trackd.yaml:2: sinks.0.type"]),
        Case(
            name: "no type for a sink", yaml: "sinks: [{type: , url: x}]",
            places: ["trackd.yaml:1: sinks.0.type"]),
        Case(
            name: "a key outside its section", yaml: "tracking:\ndistanceFilter: 50",
            places: ["trackd.yaml:2: distanceFilter"]),
        Case(
            name: "a part of a key", yaml: "sinks: [{type: overland, url: 'https://x', timeout: 5}]",
            places: ["trackd.yaml:1: sinks.overland.timeout"]),
        Case(
            name: "no blank after a colon", yaml: "tracking:\n  distanceFilter:5",
            places: ["trackd.yaml:1: tracking"]),
        Case(
            name: "a home that no shell fills in", yaml: "store: {path: ~/track}",
            places: ["trackd.yaml:1: store.path"]),
        Case(
            name: "a recording in such a home", yaml: "sources: [{type: replay, path: ['~/a.gpx', b]}]",
            places: ["trackd.yaml:1: sources.replay.path"]),
        Case(
            name: "a word for null", yaml: "control: {socket: false}",
            places: ["trackd.yaml:1: control.socket"]),
        Case(
            name: "a port in a host", yaml: "sources: [{type: gpsd, host: 'gps.local:2947'}]",
            places: ["trackd.yaml:1: sources.gpsd.host"]),
    ]
}
