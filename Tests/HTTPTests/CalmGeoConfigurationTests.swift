import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("A sink from CalmGeo's keys")
struct CalmGeoConfigurationTests {
    @Test
    func `has its address, token, method and time-out, and its format`() throws {
        var keys = CalmGeoConfiguration()
        keys.url = "https://example.org/records"
        keys.token = Secret("t")
        keys.method = .put
        keys.httpTimeout = 2500
        let configuration = try #require(OverlandSink.Configuration(calmGeo: keys, deviceID: "van-7"))
        #expect(configuration.url == "https://example.org/records")
        #expect(configuration.token == Secret("t"))
        #expect(configuration.method == .put)
        #expect(configuration.httpTimeout == .milliseconds(2500))
        #expect(configuration.profile == .calmgeo)
    }

    @Test
    func `without an address there is none`() {
        #expect(OverlandSink.Configuration(calmGeo: CalmGeoConfiguration(), deviceID: "van-7") == nil)
    }

    @Test(
        arguments: [nil, "https://example.org/records"])
    func `the whole table makes a tracker with a sink for its address`(_ url: String?) async throws {
        var table = CalmGeoConfiguration()
        table.url = url
        let tracker = try tracker(of: table, device: "van-7", source: FedSource(), store: InMemoryFixStore())
        async let end: Void = tracker.run()
        let expected: [SinkID] = url == nil ? [] : ["calmgeo"]
        await eventually("the tracker runs with \(expected)") {
            let status = await tracker.status()
            return status.state == .running && status.sinks.map(\.id) == expected
        }
        await tracker.stop()
        try await end
    }
}
