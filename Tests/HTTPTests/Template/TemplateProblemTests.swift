import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP

@Suite("Templates that cannot be used")
struct TemplateProblemTests {
    @Test(arguments: [
        (#"{"a":}"#, "JSON with a value"), (#"{"a":1"#, "a } behind the members"), (#"[1"#, "a ] behind the elements"),
        (#"{a:1}"#, "the name of each member in quotes"), (#"{"a" 1}"#, "a : behind the name"),
        (#"{"a":"b}"#, "a quote at the end"), (#"{"a":1} x"#, "no text behind the end"),
        (#"{"a":01}"#, "JSON with a value"),
        (#"{"a":"\x"}"#, "JSON strings with"), ("{\"a\":\"\n\"}", "JSON strings with"),
        ("%{speed?}", "within an object"),
        ("", "JSON with a value"), (String(repeating: "[", count: 40), "at most 32 levels"),
        (String(repeating: " ", count: 16_385), "at most 16384 bytes"),
    ])
    func `JSON with a mistake says which`(_ template: String, _ expected: String) throws {
        let problem = try #require(TemplateSamples.problem(template))
        #expect(problem.contains(expected), "\(problem)")
    }

    @Test(arguments: [
        ("a b=1", HTTPSink.Configuration.Format.form, "percent-encoded"), ("a=50%", .form, "%25"),
        ("%{speed?},1", .csv, "no %{…?} in a row"),
        ("track", .influx, "a line of measurement"), ("track =1", .influx, "a name and ="),
        (#"track lat=%{latitude},n="%{device}""#, .influx, "no quotes around a field"),
        ("track speed=%{speed}", .influx, "a field that every record has"),
    ])
    func `other formats say what they cannot take`(
        _ template: String, _ format: HTTPSink.Configuration.Format, _ expected: String
    ) throws {
        let problem = try #require(TemplateSamples.problem(template, format))
        #expect(problem.contains(expected), "\(problem)")
    }

    @Test(arguments: ["/100%", "?a=%{latitude}&b=50%&c=%20", "/%4%{latitude}1", "?a=%2"])
    func `a lone percent sign in an address is named`(_ target: String) throws {
        let configuration = TemplateSamples.configuration("https://example.org" + target) {
            $0.body = "{\"p\":[%{latitude},%{longitude}]}"
        }
        #expect(configuration.problems.map(\.key) == ["url"])
        #expect(configuration.problems.first?.expectation.contains("%25") == true)
    }

    /// The key and the expectation of the first problem.
    private func first(
        _ url: String = "https://example.org/in", _ change: (inout HTTPSink.Configuration) -> Void
    ) throws -> String {
        let problem = try #require(TemplateSamples.configuration(url, change).problems.first)
        return "\(problem.key): \(problem.expectation)"
    }

    @Test func `the parts of a template must fit each other`() throws {
        let point = "%{latitude},%{longitude}"
        expectMessage(try first { $0.body = "{}" }, begin: "body", as: "a template without a place")
        expectMessage(try first { _ in }, begin: "body", as: "a template without a place")
        #expect(
            try first {
                $0.method = .get
                $0.body = "{}"
            }.hasPrefix("body: none with GET"))
        #expect(try first { $0.body = "[\(point),%{records}]" }.hasPrefix("record: a template for the records"))
        #expect(
            try first {
                $0.record = "[\(point)]"
                $0.format = .csv
                $0.body = "%{time}\n%{records}"
            }.hasPrefix("body: %{time} in record"))
        #expect(
            try first {
                $0.record = "[\(point)]"
                $0.body = "{}"
            }.hasPrefix("body: %{records} once"))
        #expect(try first { $0.record = "%{records}" }.hasPrefix("record: the field records in the body alone"))
        #expect(
            try first {
                $0.record = "a=1"
                $0.format = .form
            }.hasPrefix("record: none with the format form"))
        #expect(
            try first("https://%{device}.org/") { $0.record = "[]" }.hasPrefix(
                "url: fields in the path and the query alone"))
        #expect(try first("https://e.org/%{speed?}") { $0.record = "[]" }.hasPrefix("url: %{…?} in the query alone"))
        #expect(try first("https://e.org/%{time}") { $0.record = "[]" }.hasPrefix("url: %{time} in record"))
        #expect(try first("nonsense") { $0.record = "[]" }.hasPrefix("url: an address such as"))
        #expect(try first("http://example.org") { $0.record = "[]" }.hasPrefix("url: https"))
    }

    @Test func `everything that is wrong is reported at once`() {
        let problems = TemplateSamples.configuration("nonsense") {
            $0.deviceID = ""
            $0.credentials.token = Secret("a b")
            $0.httpTimeout = .zero
            $0.success = .init()
            $0.success?.value = "ok"
        }.problems
        #expect(problems.map(\.key) == ["url", "deviceID", "token", "httpTimeout", "success.value"])
    }
}
