import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

/// The keys of `type: http`.
@Suite struct HTTPConfigurationTests {
    private func settings(_ sink: String) throws -> HTTPSettings {
        try #require(Given.configuration("sinks: [{type: http, \(sink)}]").sinks.first?.kind as? HTTPSettings)
    }

    @Test func `a preset and an address are enough`() throws {
        let sink = try settings("preset: reitti, url: 'https://x.example'").configuration(
            device: "van-7", credentials: RequestCredentials())
        var expected = HTTPSink.Configuration(url: "https://x.example", deviceID: "van-7")
        expected.preset = .reitti
        #expect(sink == expected)
    }

    @Test func `every key reaches the sink`() throws {
        let settings = try settings(
            """
            url: 'https://x.example/in', deviceID: '7', method: PUT, format: csv, body: "h\\n%{records}", record: '%{time}', \
            success: {status: 201, path: a.0, value: ok, contains: yes}, allowInsecure: true, httpTimeout: 500, \
            tls: {ca: /a, certificate: /b, key: /c}
            """)
        var expected = HTTPSink.Configuration(url: "https://x.example/in", deviceID: "7")
        expected.method = .put
        expected.format = .csv
        expected.body = "h\n%{records}"
        expected.record = "%{time}"
        var success = HTTPSink.Configuration.SuccessRule()
        (success.status, success.path, success.value, success.contains) = (201, "a.0", "ok", "yes")
        expected.success = success
        expected.allowInsecure = true
        expected.httpTimeout = .milliseconds(500)
        expected.tls = TLSOptions(certificateAuthorityFile: "/a", certificateFile: "/b", keyFile: "/c")
        #expect(settings.configuration(device: "van-7", credentials: RequestCredentials()) == expected)
    }

    @Test(arguments: [
        ("type: http", "sinks.http.url"),
        ("type: http, url: nonsense, body: '{}'", "sinks.http.url"),
        ("type: http, url: 'http://x.example/', preset: reitti", "sinks.http.url"),
        ("type: http, url: 'https://x', preset: ritti", "sinks.http.preset"),
        ("type: http, url: 'https://x', body: '{\"a\": %{lat}}'", "sinks.http.body"),
        ("type: http, url: 'https://x', body: '{}'", "sinks.http.body"),
        ("type: http, url: 'https://x/%{time:epoch}', record: '[]'", "sinks.http.url"),
        ("type: http, url: 'https://x', preset: reitti, success: {status: 404}", "sinks.http.success.status"),
        ("type: http, url: 'https://x/apps/phonetrack/', preset: phonetrack", "sinks.http.url"),
        ("type: http, url: 'https://x/write?db=d', preset: influx", "sinks.http.url"),
        ("type: http, url: 'https://x/in?lat=%LAT&lon=%LON'", "sinks.http.url"),
        ("type: http, url: 'https://x', preset: reitti, success: {value: ok}", "sinks.http.success.value"),
    ])
    func `what is wrong is named with what was expected`(_ sink: String, _ key: String) {
        expectMessages(Given.problems("sinks: [{\(sink)}]"), begin: ["trackd.yaml:1: \(key)"], as: sink)
    }

    @Test func `a sample shows the request and hides what is secret`() throws {
        let settings = try settings(
            """
            url: 'https://x.example/t/t0k3n/in?key=k3y&lat=%{latitude}&lon=%{longitude}', token: {file: /token}, \
            headers: {X-A: {file: /a}}, body: '{"speed": %{speed:km/h}, "device": "%{device}"}'
            """)
        #expect(
            settings.sample(device: "van-7") == """
                POST https://x.example/t/***/in?key=***&lat=52.5200081&lon=13.4049542
                Content-Type: application/json
                User-Agent: TrackEngine/0.1
                Authorization: ***
                X-A: ***

                {"speed":50,"device":"van-7"}
                """)
    }

    @Test(arguments: [
        (#"body: '[%{records}]', record: '{"a": %{speed}, "t": "%{time}"}'"#, ["record"]),
        (#"body: '[%{records}]', record: '{"a": %{latitude}, "t": "%{time}"}'"#, ["record"]),
        (#"body: '[%{records}]', record: '{"a": %{speed}}'"#, ["record", "record"]),
        (#"body: '[%{records}]', record: '{"a": %{latitude}, "o": %{longitude}}'"#, ["record"]),
        (#"body: '[%{records}]', record: '{"a": %{latitude}, "o": %{longitude}, "t": "%{time}"}'"#, []),
        (#"body: '{"a": %{latitude}, "o": %{longitude}}'"#, ["body"]),
        (#"body: '{"a": %{latitude}, "o": %{longitude}, "t": "%{time}"}'"#, []),
        (#"preset: dawarich, record: '{"a": %{speed}, "t": "%{time}"}'"#, ["record"]),
        ("preset: home-assistant-webhook", []),
    ])
    func `a template without place or time gets a caution`(_ sink: String, _ keys: [String]) throws {
        let all = try settings("url: 'https://x.example/in', \(sink)").cautions
        #expect(all.map { String($0.prefix { $0 != " " }) } == keys, "\(all)")
    }

    @Test(arguments: HTTPPreset.allCases)
    func `no preset gets a caution`(_ preset: HTTPPreset) throws {
        let query = preset == .influx ? "?org=o&bucket=b" : preset == .influx1 ? "?db=d" : ""
        #expect(try settings("url: 'https://x.example/in\(query)', preset: \(preset.rawValue)").cautions == [])
    }

    @Test(arguments: ["overland", "http", "osmand", "owntracks"])
    func `two sinks with one refresh token get a caution`(_ type: String) throws {
        func cautions(_ first: String, _ second: String) throws -> [String] {
            let rest = type == "http" ? "preset: reitti, " : type == "owntracks" ? "user: jane, " : ""
            return try Given.configuration(
                """
                sinks:
                  - {type: overland, name: a, url: 'https://x.example/in', auth: {\(first)}}
                  - {type: \(type), name: b, url: 'https://y.example/in', \(rest)auth: {\(second)}}
                """
            ).cautions(sourceCount: 1).map(\.line)
        }
        let grant = "refreshUrl: 'https://l.example/token', clientID: c, refreshToken: {file: /t}"
        let all = try cautions(grant, grant + ", scope: other")
        #expect(all.count == 1 && all[0].hasPrefix("sink b: auth.refreshToken = that of sink a: "), "\(all)")
        let literal = "refreshUrl: 'https://l.example/token', clientID: c, refreshToken: canary"
        let secret = try cautions(literal, literal)
        #expect(secret.count == 1 && !secret[0].contains("canary"))
        #expect(try cautions(literal, literal.replacing("canary", with: "other")) == [])
        #expect(try cautions(grant, grant.replacing("/t}", with: "/u}")) == [])
        #expect(try cautions(grant, grant.replacing("clientID: c", with: "clientID: d")) == [])
        let ownClient = "refreshUrl: 'https://l.example/token', clientID: c, clientSecret: {file: /s}"
        #expect(try cautions(ownClient, ownClient) == [], "a client that asks for itself has no chain")
    }

    @Test(arguments: ["9f8a7c1e5b3d4a6f8c2e", "7b8e6f0a-1111-4222-8333-abcdef012345"])
    func `what looks like a token in a path is shown nowhere, and no file is refused for it`(_ part: String) throws {
        for sink in ["type: http, body: '{\"a\": %{latitude}, \"o\": %{longitude}, \"t\": %{time}}'", "type: overland"]
        {
            let yaml = "sinks: [{url: 'https://x.example/hook/\(part)', \(sink)}]"
            #expect(Given.problems(yaml, isPrivate: false) == [])
            let configuration = try Given.configuration(yaml)
            #expect(!configuration.effectiveYAML.contains(part))
            #expect(configuration.sinks.first?.sample(device: "van-7")?.contains(part) != true)
        }
    }

    @Test(arguments: ["/api/v1/t0k3n", "/api/v1/t0k3n/", "/api/v1/t0k3n/telemetry", "/t0k3n"])
    func `the token of a ThingsBoard device is a secret, however the address is written`(_ path: String) throws {
        let yaml = "sinks: [{type: http, url: 'https://x.example\(path)', preset: thingsboard}]"
        #expect(try !Given.configuration(yaml).effectiveYAML.contains("t0k3n"))
        let problems = Given.problems(yaml, isPrivate: false)
        #expect(problems.count == 1 && problems[0].contains("/***/telemetry"), "\(problems)")
        let other = "sinks: [{type: http, url: 'https://x.example/api/v1/points', preset: dawarich}]"
        #expect(Given.problems(other, isPrivate: false) == [])
        #expect(try Given.configuration(other).effectiveYAML.contains("https://x.example/api/v1/points"))
    }
}
