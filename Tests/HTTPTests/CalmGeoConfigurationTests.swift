import Testing
import TrackEngine
import TrackEngineHTTP

@Suite("A sink from CalmGeo's keys")
struct CalmGeoConfigurationTests {
    @Test("has its address, token, method and time-out, and its format")
    func keys() throws {
        var keys = TrackerConfiguration.calmGeo
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

    @Test("without an address there is none")
    func noAddress() {
        #expect(OverlandSink.Configuration(calmGeo: .calmGeo, deviceID: "van-7") == nil)
    }
}
