import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

@Suite("Transitions for Traccar")
struct OsmAndEventTests {
    private static func record(_ event: Transition.Event) -> TrackRecord {
        let place = PlaceName(id: "depot", name: "Depot & Söhne")
        let transition = Transition(event: event, place: place, centre: Samples.full.fix.coordinate, radius: 100)
        return TrackRecord(
            sequence: RecordSequence(rawValue: 1),
            draft: RecordDraft(
                id: Samples.full.id, fix: Samples.full.fix, isMoving: true, cause: .detected, source: "gps",
                content: .transition(transition)))
    }

    private static func request(
        _ record: TrackRecord, _ format: OsmAndSink.Configuration.Format
    ) throws -> OsmAndEncoder.Request {
        var configuration = OsmAndSink.Configuration(url: "http://127.0.0.1:5055", deviceID: "van-7")
        configuration.format = format
        return OsmAndEncoder(configuration, endpoint: try #require(Endpoint(ifReadable: configuration.url)))
            .request(for: record)
    }

    @Test(arguments: zip(Transition.Event.allCases, ["geofenceEnter", "geofenceExit", "geofenceDwell"]))
    func `a transition is a position with its event, and no alarm`(_ event: Transition.Event, _ word: String) throws {
        let query = "\(try Self.request(Self.record(event), .query).endpoint.target)"
        #expect(query.hasSuffix("&event=\(word)&place=Depot%20%26%20S%C3%B6hne"), "\(query)")
        #expect(!query.contains("alarm"))
        let body = String(decoding: try Self.request(Self.record(event), .json).body, as: UTF8.self)
        #expect(body.contains(#","event":"\#(word)""#))
    }

    /// Traccar stores 0 for a position without them. The numbers are those of the record's fix; 3.429 m/s are 6.665 knots.
    @Test func `a dwell has the altitude and the speed of its fix`() throws {
        let query = "\(try Self.request(Self.record(.dwell), .query).endpoint.target)"
        #expect(query.contains("&altitude=12.5&speed=6.665&"), "\(query)")
        let body = try JSONValue.parse(Self.request(Self.record(.dwell), .json).body)
        let coordinates = body["location"]?["coords"]
        #expect(coordinates?["altitude"]?.number == 12.5)
        #expect(coordinates?["speed"]?.number.map { abs($0 - 3.429) < 0.01 } == true, "\(body)")
    }

    @Test func `they are carried where they are asked for`() async throws {
        for isWanted in [true, false] {
            var configuration = OsmAndSink.Configuration(url: "http://127.0.0.1:5055", deviceID: "van-7")
            configuration.tellsTransitions = isWanted
            let sink = try OsmAndSink(configuration: configuration)
            #expect(sink.kinds == (isWanted ? [.location, .transition] : .location))
            await sink.close()
        }
    }
}
