import Testing
import TrackEngineAgent
import TrackEngineSettings

/// What a reload applies, and what takes a restart.
@Suite struct ConfigurationChangeTests {
    private static let base = """
        device: {id: a}
        sources: [{type: gpsd}]
        sinks: [{type: overland, name: home, url: "https://x", token: one}]
        """

    private func change(_ options: [String], from base: String = base) throws -> ConfigurationChange {
        try ConfigurationChange(from: Given.configuration(base), to: Given.configuration(base, options: options))
    }

    @Test func `nothing changes between equal configurations`() throws {
        #expect(try change([]).isEmpty)
    }

    @Test(arguments: [
        ("tracking.distanceFilter", "50"), ("tracking.maximumSpeed", "60"), ("store.maxRecords", "5"),
        ("store.maxBytes", "64MiB"), ("store.maxDaysToPersist", "1"), ("store.keepSyncedDays", "1"),
        ("sinks.home.autoSync", "false"), ("sinks.home.syncThreshold", "1"), ("sinks.home.maxBatchSize", "1"),
        ("sinks.home.backoff.maximum", "5"), ("sinks.home.backoff.jitter", "true"), ("log.level", "debug"),
    ])
    func `these keys can be applied while running`(_ key: String, _ value: String) throws {
        let change = try change(["\(key)=\(value)"])
        #expect(change.live == [key])
        #expect(change.restart == [])
    }

    @Test(arguments: [
        ("device.id", "b"), ("sources.gpsd.port", "2000"), ("sinks.home.url", "https://y"),
        ("sinks.home.profile", "trace"), ("sinks.home.httpTimeout", "500"), ("log.format", "json"),
        ("control.socket", "/x"), ("store.commitInterval", "5"),
    ])
    func `these keys need a restart`(_ key: String, _ value: String) throws {
        let option = key.replacing("gpsd", with: "0")
        let change = try change(["\(option)=\(value)"])
        #expect(change.live == [])
        #expect(change.restart == [key])
    }

    @Test func `a moved store needs a restart, with the socket beside it`() throws {
        #expect(try change(["store.path=/elsewhere"]).restart == ["control.socket", "store.path"])
    }

    @Test func `another secret is noticed although both are shown as stars`() throws {
        let other = Self.base.replacing("token: one", with: "token: two")
        let change = try ConfigurationChange(from: Given.configuration(Self.base), to: Given.configuration(other))
        #expect(change.restart == ["sinks.home.token"])
    }

    @Test func `another token in an address is noticed`() throws {
        let one = Self.base.replacing("https://x", with: "https://x?token=1")
        let two = Self.base.replacing("https://x", with: "https://x?token=2")
        let change = try ConfigurationChange(from: Given.configuration(one), to: Given.configuration(two))
        #expect(change.restart == ["sinks.home.url"])
    }

    @Test func `a sink that comes or goes is named as a whole`() throws {
        let more = Self.base.replacing("sinks: [", with: "sinks: [{type: overland, name: work, url: 'https://y'}, ")
        let before = try Given.configuration(Self.base)
        let after = try Given.configuration(more)
        #expect(ConfigurationChange(from: before, to: after).restart == ["sinks.work"])
        #expect(ConfigurationChange(from: after, to: before).restart == ["sinks.work"])
        #expect(ConfigurationChange(from: before, to: after).live == [])
    }
}
