import Testing
import TrackEngineAgent
import TrackEngineSettings

/// What a user reads about a configuration that cannot be used, word for word.
@Suite struct BrokenConfigurationTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let yaml: String
        let messages: [String]

        var testDescription: String { name }
    }

    @Test("each problem is named with line, key, value and expectation", arguments: cases)
    func problemsAreNamed(_ broken: Case) {
        #expect(Given.problems(broken.yaml) == broken.messages)
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
            messages: [#"trackd.yaml:2: tracking.distanceFilter = "abc": expected 0 to 100000 metres"#]),
        Case(
            name: "a number in quotes", yaml: "tracking:\n  distanceFilter: \"50\"",
            messages: [#"trackd.yaml:2: tracking.distanceFilter = "50": expected 0 to 100000 metres, without quotes"#]),
        Case(
            name: "a number out of range", yaml: "tracking: {stillAfter: 90000}",
            messages: ["trackd.yaml:1: tracking.stillAfter = 90000: expected 0 to 86400 seconds"]),
        Case(
            name: "not a number at all", yaml: "tracking: {speedMultiplier: .nan, maximumSpeed: 0}",
            messages: [
                #"trackd.yaml:1: tracking.speedMultiplier = ".nan": expected 0 to 1000"#,
                "trackd.yaml:1: tracking.maximumSpeed = 0: expected above 0 and up to 100000 metres per second",
            ]),
        Case(
            name: "a misspelled key", yaml: "tracking:\n  distanceFitler: 50",
            messages: [
                "trackd.yaml:2: tracking.distanceFitler = …: expected a known key; did you mean distanceFilter?"
            ]),
        Case(
            name: "a key unlike any other", yaml: "log: {colour: blue}",
            messages: ["trackd.yaml:1: log.colour = …: expected a known key (level, format)"]),
        Case(
            name: "a key in the wrong case", yaml: "tracking: {distancefilter: 50}",
            messages: ["trackd.yaml:1: tracking.distancefilter = …: expected a known key; did you mean distanceFilter?"]
        ),
        Case(
            name: "null for a number that must be there", yaml: "tracking: {distanceFilter: }",
            messages: ["trackd.yaml:1: tracking.distanceFilter = null: expected 0 to 100000 metres"]),
        Case(
            name: "yes for true", yaml: "tracking: {fetchActivity: yes}",
            messages: [#"trackd.yaml:1: tracking.fetchActivity = "yes": expected true or false"#]),
        Case(
            name: "a list for a section", yaml: "store: [1, 2]",
            messages: ["trackd.yaml:1: store = […]: expected keys with values"]),
        Case(
            name: "a table for a list", yaml: "sinks: {home: {type: overland}}",
            messages: ["trackd.yaml:1: sinks = {…}: expected a list of tables, each with its type"]),
        Case(
            name: "a text for the whole", yaml: "hello",
            messages: [#"trackd.yaml:1: configuration = …: expected keys with values"#]),
        Case(
            name: "an unknown type of source", yaml: "sources:\n  - type: gspd\n    hosst: x",
            messages: [
                #"trackd.yaml:2: sources.gspd.type = "gspd": expected gpsd, replay, simulated or miataru; did you mean gpsd?"#
            ]),
        Case(
            name: "a source without a type", yaml: "sources:\n  - host: x",
            messages: ["trackd.yaml:2: sources.0.type = (missing): expected gpsd, replay, simulated or miataru"]),
        Case(
            name: "a replay without a file, for ever", yaml: "sources: [{type: replay, speed: max, loop: true}]",
            messages: [
                "trackd.yaml:1: sources.replay.path = (missing): expected a path or a list of paths",
                "trackd.yaml:1: sources.replay.loop = true: expected false at speed max, which would never come to rest",
            ]),
        Case(
            name: "two of one name", yaml: "sources:\n  - {type: gpsd, name: a}\n  - {type: simulated, name: a}",
            messages: [#"trackd.yaml:3: sources.1.name = "a": expected a name that no other one has"#]),
        Case(
            name: "standby before still", yaml: "tracking:\n  stillAfter: 60\n  standbyAfter: 30",
            messages: ["trackd.yaml:3: tracking.standbyAfter = 30: expected 0 or at least stillAfter (60 s)"]),
        Case(
            name: "a cap below the base distance", yaml: "tracking: {maximumThreshold: 5}",
            messages: ["trackd.yaml:1: tracking.maximumThreshold = 5: expected at least distanceFilter (16) metres"]),
        Case(
            name: "retention that says two things",
            yaml: "tracking: {maxDaysToPersist: 3}\nstore:\n  maxDaysToPersist: 4",
            messages: [
                "trackd.yaml:3: store.maxDaysToPersist = 4: expected the same as tracking.maxDaysToPersist (3), "
                    + "or only one of them"
            ]),
        Case(
            name: "a device that MQTT could not name", yaml: "device: {id: a/b}",
            messages: [
                #"trackd.yaml:1: device.id = "a/b": expected a name of 1 to 128 bytes without control characters, "#
                    + "blanks at its ends, and characters that MQTT's topics cannot hold: +, # and /"
            ]),
        Case(
            name: "http to another machine", yaml: "sinks:\n  - type: overland\n    url: http://example.org/?token=x",
            messages: [
                #"trackd.yaml:3: sinks.overland.url = "http://example.org/?token=***": expected https, "#
                    + "or allowInsecure: true to send in the clear"
            ]),
        Case(
            name: "a loopback that is none", yaml: "sinks: [{type: overland, url: 'http://127.0.0.1.example.org/'}]",
            messages: [
                #"trackd.yaml:1: sinks.overland.url = "http://127.0.0.1.example.org/": expected https, "#
                    + "or allowInsecure: true to send in the clear"
            ]),
        Case(
            name: "a sink without an address", yaml: "sinks:\n  - type: overland",
            messages: [
                "trackd.yaml:2: sinks.overland.url = (missing): expected an address such as https://track.example.org/api"
            ]),
        Case(
            name: "an address that no request can carry",
            yaml: "sinks: [{type: overland, url: 'https://h/?a={b}', headers: {Expect: x, \"X A\": y}}]",
            messages: [
                "trackd.yaml:1: sinks.overland.url = ***: expected only printable ASCII characters, "
                    + "others percent-encoded",
                "trackd.yaml:1: sinks.overland.headers.Expect = ***: expected another name: the sink or HTTP itself "
                    + "sets this one",
                "trackd.yaml:1: sinks.overland.headers.a key of 3 characters = ***: expected a header name of letters, "
                    + "digits and !#$%&'*+-.^_`|~",
            ]),
        Case(
            name: "half a client certificate", yaml: "sinks: [{type: overland, url: 'https://x', tls: {key: /k}}]",
            messages: ["trackd.yaml:1: sinks.overland.tls = {…}: expected both certificate and key, or neither"]),
        Case(
            name: "two ways to authorize",
            yaml: "sinks: [{type: overland, url: 'https://x', token: a, basicAuth: {user: u, password: p}}]",
            messages: [
                "trackd.yaml:1: sinks.overland.basicAuth = ***: expected either token or basicAuth, "
                    + "both set the Authorization header"
            ]),
        Case(
            name: "a header field that the token sets",
            yaml: "sinks:\n- type: overland\n  url: https://x\n  token: a\n  headers:\n    authorization: b",
            messages: [
                "trackd.yaml:5: sinks.overland.headers = {Authorization: ***}: expected no Authorization with token or "
                    + "basicAuth"
            ]),
        Case(
            name: "files for TLS without TLS",
            yaml: "sinks:\n- type: overland\n  url: http://localhost/?token=x\n  tls: {ca: /a}",
            messages: [
                "trackd.yaml:4: sinks.overland.tls = {…}: expected an https address for it, "
                    + "url is http://localhost/?token=***"
            ]),
        Case(
            name: "a header field twice",
            yaml: "sinks: [{type: overland, url: 'https://x', headers: {X-A: b, x-a: c}}]",
            messages: [
                "trackd.yaml:1: sinks.overland.headers.x-a = ***: expected each header field once, regardless of case"
            ]),
        Case(
            name: "a secret from two places",
            yaml: "sinks: [{type: overland, url: 'https://x', token: {file: /a, env: B}}]",
            messages: [
                "trackd.yaml:1: sinks.overland.token = ***: expected one of {file: PATH}, {env: NAME}, {credential: NAME}, "
                    + "or a text"
            ]),
        Case(
            name: "a credential that leads out of its directory",
            yaml: "sinks: [{type: overland, url: 'https://x', token: {credential: ../shadow}}]",
            messages: [
                "trackd.yaml:1: sinks.overland.token = ***: expected the name of a systemd credential as credential"
            ]),
        Case(
            name: "CalmGeo's address in the wrong place", yaml: "tracking: {url: 'https://x'}",
            messages: [
                "trackd.yaml:1: tracking.url = ***: expected under sinks, as in "
                    + "sinks: [{type: overland, url: …, token: …}]"
            ]),
        Case(
            name: "a store below a MiB", yaml: "store: {maxBytes: 1000KiB}",
            messages: [
                #"trackd.yaml:1: store.maxBytes = "1000KiB": expected 0 (no limit) or at least 1048576 bytes, "#
                    + "such as 100MB or 64 MiB"
            ]),
        Case(
            name: "a terminal's escape in a value", yaml: "log: {level: \"\\e[2Jloud\"}",
            messages: [
                #"trackd.yaml:1: log.level = "\u{1b}[2Jloud": expected trace, debug, info, notice, warning, error "#
                    + "or critical"
            ]),
        Case(
            name: "a fraction for a whole number", yaml: "tracking: {distanceFilter: 5.5}",
            messages: ["trackd.yaml:1: tracking.distanceFilter = 5.5: expected 0 to 100000 metres, a whole number"]),
        Case(
            name: "a unit that fits, of too long a time", yaml: "tracking: {stillAfter: 2d}",
            messages: [#"trackd.yaml:1: tracking.stillAfter = "2d": expected 0 to 86400 seconds"#]),
        Case(
            name: "a unit behind a number", yaml: "tracking: {stillAfter: 1min}",
            messages: [
                #"trackd.yaml:1: tracking.stillAfter = "1min": expected 0 to 86400 seconds, as a number or such as 90s, 15m, 2h or 1d"#
            ]),
        Case(
            name: "a word for a source", yaml: "sources: [gpsd]",
            messages: ["trackd.yaml:1: sources.0 = …: expected keys with values"]),
        Case(
            name: "nothing for a sink", yaml: "sinks:\n  - null",
            messages: [
                "trackd.yaml:2: sinks.0.type = (missing): expected overland, osmand, owntracks, http, mqtt, miataru, file, history or server"
            ]),
        Case(
            name: "no type for a sink", yaml: "sinks: [{type: , url: x}]",
            messages: [
                "trackd.yaml:1: sinks.0.type = null: expected overland, osmand, owntracks, http, mqtt, miataru, file, history or server"
            ]),
        Case(
            name: "a key outside its section", yaml: "tracking:\ndistanceFilter: 50",
            messages: ["trackd.yaml:2: distanceFilter = …: expected a known key; it belongs under tracking"]),
        Case(
            name: "a part of a key", yaml: "sinks: [{type: overland, url: 'https://x', timeout: 5}]",
            messages: [
                "trackd.yaml:1: sinks.overland.timeout = …: expected a known key; did you mean httpTimeout?"
            ]),
        Case(
            name: "no blank after a colon", yaml: "tracking:\n  distanceFilter:5",
            messages: ["trackd.yaml:1: tracking = …: expected keys with values, and a blank after each colon"]),
        Case(
            name: "a home that no shell fills in", yaml: "store: {path: ~/track}",
            messages: [
                #"trackd.yaml:1: store.path = "~/track": expected a path written in full: only a shell expands ~"#
            ]),
        Case(
            name: "a recording in such a home", yaml: "sources: [{type: replay, path: ['~/a.gpx', b]}]",
            messages: [
                #"trackd.yaml:1: sources.replay.path = "~/a.gpx": "#
                    + "expected a path written in full: only a shell expands ~"
            ]),
        Case(
            name: "a word for null", yaml: "control: {socket: false}",
            messages: ["trackd.yaml:1: control.socket = false: expected a path of at most 107 bytes, or null"]),
        Case(
            name: "a port in a host", yaml: "sources: [{type: gpsd, host: 'gps.local:2947'}]",
            messages: [
                #"trackd.yaml:1: sources.gpsd.host = "gps.local:2947": expected a host name or an IP address, "#
                    + "without a port"
            ]),
    ]
}
