import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

/// The keys of `type: osmand`.
@Suite struct OsmAndConfigurationTests {
    private func settings(_ keys: String) throws -> OsmAndSettings {
        let yaml = "sinks: [{type: osmand, url: 'https://traccar.example:5055'\(keys)}]"
        return try #require(Given.configuration(yaml).sinks.first?.kind as? OsmAndSettings)
    }

    @Test func `an address is enough, and the device is the agent's`() throws {
        let url = "https://traccar.example:5055"
        let sink = try settings("").configuration(device: "van-7")
        #expect(sink == OsmAndSink.Configuration(url: url, deviceID: "van-7"))
    }

    @Test func `every key reaches the sink`() throws {
        let settings = try settings(
            ", deviceID: '7', format: json, allowInsecure: true, httpTimeout: 500, tls: {ca: /a, certificate: /b, key: /c}"
        )
        var expected = OsmAndSink.Configuration(url: "https://traccar.example:5055", deviceID: "7")
        expected.format = .json
        expected.allowInsecure = true
        expected.httpTimeout = .milliseconds(500)
        expected.tls = TLSOptions(certificateAuthorityFile: "/a", certificateFile: "/b", keyFile: "/c")
        #expect(settings.configuration(device: "van-7") == expected)
    }

    @Test func `Traccar's own port is said to speak http`() throws {
        let cautions = try settings("").cautions
        #expect(cautions.count == 1 && cautions[0].contains("port 5055 speaks http"), "\(cautions)")
        for url in ["https://traccar.example", "https://traccar.example:8443", "http://127.0.0.1:5055"] {
            let configuration = try Given.configuration("sinks: [{type: osmand, url: '\(url)'}]")
            #expect(configuration.sinks.count == 1 && configuration.cautions(sourceCount: 1).isEmpty)
        }
        #expect(
            Given.problems("sinks: [{type: osmand, url: 'http://traccar.example:5055'}]").first?.contains(
                "Traccar's own port 5055") == true)
    }

    @Test(arguments: [
        ("type: osmand", "sinks.osmand.url"),
        ("type: osmand, url: 'http://x.example:5055'", "sinks.osmand.url"),
        ("type: osmand, url: 'https://x/?id=1&lat={0}&lon={1}'", "sinks.osmand.url"),
        ("type: osmand, url: 'https://x', format: xml", "sinks.osmand.format"),
        ("type: osmand, url: 'https://x', tokens: a", "sinks.osmand.tokens"),
        ("type: osmand, url: 'https://x', tls: {key: /k}", "sinks.osmand.tls"),
        ("type: osmand, url: 'http://localhost:5055', tls: {ca: /c}", "sinks.osmand.tls"),
    ])
    func `what is wrong is named with what was expected`(_ sink: String, _ key: String) {
        expectMessages(Given.problems("sinks: [{\(sink)}]"), begin: ["trackd.yaml:1: \(key)"], as: sink)
    }
}
