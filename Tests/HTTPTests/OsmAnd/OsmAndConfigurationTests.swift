import Testing
import TrackEngine
import TrackEngineHTTP

@Suite("The OsmAnd sink's configuration")
struct OsmAndConfigurationTests {
    /// The keys of all problems, in the order of the report.
    private func problems(
        _ url: String = "https://example.org:5055", _ change: (inout OsmAndSink.Configuration) -> Void = { _ in }
    ) -> [String] {
        do throws(ConfigurationError) {
            _ = try OsmAndSink(id: "fleet", configuration: OsmAndSamples.configuration(url, change))
            return []
        } catch {
            return error.problems.map(\.key)
        }
    }

    @Test func `plain http is for this machine, unless allowed`() {
        #expect(problems() == [])
        #expect(problems("http://127.0.0.1:5055") == [])
        #expect(problems("http://example.org:5055") == ["url"])
        #expect(problems("http://example.org:5055") { $0.allowInsecure = true } == [])
    }

    @Test func `everything that is wrong is reported at once`() {
        let keys = problems("nonsense") {
            $0.deviceID = ""
            $0.httpTimeout = .milliseconds(99)
            $0.tls.keyFile = "/nonexistent.pem"
        }
        #expect(keys == ["url", "deviceID", "httpTimeout", "tls.keyFile"])
    }

    @Test func `files for TLS need an address that uses it`() {
        #expect(problems("http://127.0.0.1:5055") { $0.tls.certificateAuthorityFile = "/dev/null" }.contains("tls"))
    }

    @Test func `a configuration shows no secret when printed or dumped`() {
        let configuration = OsmAndSamples.configuration("https://example.org/c4n4ry?t=c4n4ry")
        var text = "\(configuration) \(String(reflecting: configuration))"
        dump(configuration, to: &text)
        #expect(!text.contains("c4n4ry"))
    }
}
