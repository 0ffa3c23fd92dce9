import Testing
import TrackEngineAgent
import TrackEngineMiataru

/// `type: miataru` in a configuration.
@Suite struct MiataruConfigurationTests {
    private static let whole = """
        sinks: [{type: miataru, url: "https://host.example/t/t0k3n/", deviceID: {env: ID}, deviceKey: {env: KEY}, \
        history: true, retention: 60}]
        """

    @Test func `an address and an id are enough, and little is kept`() throws {
        let configuration = try Given.configuration(
            #"sinks: [{type: miataru, url: "https://service.miataru.com", deviceID: {env: ID}}]"#)
        let settings = try #require(configuration.sinks.first?.kind as? MiataruSettings)
        #expect(!settings.history && settings.retention == 1440 && settings.deviceKey == nil)
    }

    @Test func `every key is read and shown again, but a token in the address`() throws {
        let configuration = try Given.configuration(Self.whole)
        let settings = try #require(configuration.sinks.first?.kind as? MiataruSettings)
        #expect(settings.url == "https://host.example/t/t0k3n/" && settings.history && settings.retention == 60)
        #expect(!configuration.effectiveYAML.contains("t0k3n"), "\(configuration.effectiveYAML)")
    }

    @Test(arguments: [
        (#"{type: miataru, deviceID: {env: ID}}"#, "sinks.miataru.url"),
        (#"{type: miataru, url: "https://a.example"}"#, "sinks.miataru.deviceID"),
        (#"{type: miataru, url: "http://a.example", deviceID: {env: ID}}"#, "allowInsecure"),
        (#"{type: miataru, url: "https://a.example/?q=1", deviceID: {env: ID}}"#, "an address without a query"),
        (#"{type: miataru, url: "https://a.example", deviceID: {env: ID}, retention: 4}"#, "5 to 525600 minutes"),
        (#"{type: miataru, url: "ftp://a.example", deviceID: {env: ID}}"#, "an address such as"),
    ])
    func `what cannot be is refused once, with what was expected`(_ sink: String, _ words: String) throws {
        let problems = Given.problems("sinks: [\(sink)]")
        #expect(problems.count == 1 && problems.first?.contains(words) == true, "\(problems)")
    }
}
