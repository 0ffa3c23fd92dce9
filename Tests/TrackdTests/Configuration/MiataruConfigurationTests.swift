import Testing
import TrackEngineAgent
import TrackEngineHTTP
import TrackEngineSettings

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
        #expect(settings.address.url == "https://host.example/t/t0k3n/" && settings.history && settings.retention == 60)
        #expect(!configuration.effectiveYAML.contains("t0k3n"), "\(configuration.effectiveYAML)")
    }

    @Test(arguments: [
        (#"{type: miataru, deviceID: {env: ID}}"#, "sinks.miataru.url"),
        (#"{type: miataru, url: "http://a.example", deviceID: {env: ID}}"#, "allowInsecure"),
        (#"{type: miataru, url: "https://a.example/?q=1", deviceID: {env: ID}}"#, "an address without a query"),
        (#"{type: miataru, url: "https://a.example", deviceID: {env: ID}, retention: 4}"#, "5 to 525600 minutes"),
        (#"{type: miataru, url: "ftp://a.example", deviceID: {env: ID}}"#, "an address such as"),
    ])
    func `what cannot be is refused once, with what was expected`(_ sink: String, _ words: String) throws {
        let problems = Given.problems("sinks: [\(sink)]")
        #expect(problems.count == 1 && problems.first?.contains(words) == true, "\(problems)")
    }

    @Test func `an id is not wanted: the agent makes and keeps one`() throws {
        let configuration = try Given.configuration(#"sinks: [{type: miataru, url: "https://a.example"}]"#)
        let settings = try #require(configuration.sinks.first?.kind as? MiataruSettings)
        #expect(settings.deviceID == nil)
    }

    // MARK: The source

    @Test func `a source follows those whom it is told, and names places`() throws {
        let configuration = try Given.configuration(
            """
            sources:
              - type: miataru
                url: https://a.example
                interval: 60
                follow: [{id: {env: ANNA}, name: Anna, group: family}, {id: {env: BEN}, name: Ben}]
                places: [{name: Home, latitude: 49.9, longitude: 10.9, radius: 100}]
            """)
        guard case .listed(let sources) = configuration.sources else { throw Missing() }
        let settings = try #require(sources.first?.kind as? MiataruSourceSettings)
        #expect(settings.follow.map(\.name) == ["Anna", "Ben"] && settings.follow.map(\.group) == ["family", nil])
        #expect(settings.interval == 60 && settings.places.map(\.radius) == [100])
        #expect(settings as any SourceSettings is any FollowSettings)
    }

    private struct Missing: Error {}

    @Test(arguments: [
        ("interval: 4", "5 to 3600 seconds"),
        ("follow: [{id: {env: A}}]", "follow.0.name"),
        ("follow: [{name: Anna}]", "id"),
        ("follow: [{id: {env: A}, name: Anna, colour: red}]", "colour"),
        ("follow: {id: {env: A}, name: Anna}", "list of tables"),
        ("places: [{name: Home, latitude: 49.9, longitude: 10.9, radius: 10}]", "50 to 5000 metres"),
        ("places: [{name: Home, latitude: 99, longitude: 10.9}]", "-90 to 90 degrees"),
        (
            "places: [{name: H, latitude: 1, longitude: 1}, {name: H, latitude: 2, longitude: 2}]",
            "a name of its own for each"
        ),
    ])
    func `what a source cannot be told is refused once`(_ keys: String, _ words: String) {
        let problems = Given.problems("sources: [{type: miataru, url: \"https://a.example\", \(keys)}]")
        #expect(problems.count == 1 && problems.first?.contains(words) == true, "\(problems)")
    }
}
