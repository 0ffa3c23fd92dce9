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
        (
            "type: http",
            "sinks.http.url = (missing): expected an address such as https://example.org/in?lat=%{latitude}"
        ),
        ("type: http, url: nonsense, body: '{}'", "sinks.http.url = ***: expected an address such as"),
        ("type: http, url: 'http://x.example/', preset: reitti", "expected https, or allowInsecure"),
        (
            "type: http, url: 'https://x', preset: ritti",
            #"sinks.http.preset = "ritti": expected dawarich, geopulse, reitti"#
        ),
        ("type: http, url: 'https://x', body: '{\"a\": %{lat}}'", "sinks.http.body = …: expected a field of latitude"),
        ("type: http, url: 'https://x', body: '{}'", "expected %{latitude} and %{longitude} in url or body"),
        ("type: http, url: 'https://x/%{time:epoch}', record: '[]'", "sinks.http.url = …: expected %{time} in record"),
        ("type: http, url: 'https://x', preset: reitti, success: {status: 404}", "expected 200 to 299"),
        ("type: http, url: 'https://x', preset: reitti, success: {value: ok}", "expected a success.path"),
    ])
    func `what is wrong is named with what was expected`(_ sink: String, _ problem: String) {
        let problems = Given.problems("sinks: [{\(sink)}]")
        #expect(problems.count == 1)
        #expect(problems.first?.contains(problem) == true, "\(problems)")
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
