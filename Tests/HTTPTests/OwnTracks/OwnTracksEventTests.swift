import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP

/// Places and events as OwnTracks' apps tell them over HTTP; composed from its description of its JSON.
@Suite("OwnTracks' places and transitions over HTTP", .timeLimit(.minutes(30)))
struct OwnTracksEventTests {
    private static let depot = PlaceName(id: "depot", name: #"Depot "Nord""#)

    private static func body(_ content: RecordContent?, _ context: RecordContext?) throws -> String {
        let draft = RecordDraft(
            id: Samples.full.id, fix: Samples.full.fix, isMoving: false, cause: content == nil ? .distance : .detected,
            source: "gps", content: content ?? .location, context: context)
        let sink = try OwnTracksSink(configuration: OwnTracksSamples.configuration("http://127.0.0.1:9"))
        let record = TrackRecord(sequence: RecordSequence(rawValue: 1), draft: draft)
        return String(decoding: sink.body(for: record), as: UTF8.self)
    }

    private static let beginning =
        #"{"_type":"location","_id":"00112233-4455-8677-8899-AABBCCDDEEFF","lat":53.5503322,"lon":9.9871234,"#

    @Test func `a location names the places in which the object is, in the order in which it came there`() throws {
        let context = RecordContext(places: [Self.depot, PlaceName(id: "city", name: "City")])
        let body = try Self.body(nil, context)
        #expect(body.hasPrefix(Self.beginning))
        #expect(body.contains(#","inregions":["Depot \"Nord\"","City"],"inrids":["depot","city"],"#))
        #expect(try !Self.body(nil, nil).contains("inr"))
    }

    @Test func `a name beyond ASCII is escaped in a location and in a transition, and read as it is`() throws {
        let place = PlaceName(id: "zü🚚", name: OwnTracksSamples.name)
        let transition = Transition(
            event: .enter, place: place, centre: Coordinate(latitude: 53.5, longitude: 10), radius: 150)
        let bodies = [
            try Self.body(nil, RecordContext(places: [place])), try Self.body(.transition(transition), nil),
        ]
        for body in bodies { #expect(body.utf8.allSatisfy { $0 < 0x80 }, "\(body)") }
        let (location, entered) = (try JSONValue.parse(bodies[0].utf8), try JSONValue.parse(bodies[1].utf8))
        #expect(location["inregions"]?.array?.map(\.string) == [place.name])
        #expect(location["inrids"]?.array?.map(\.string) == [place.id])
        #expect(entered["desc"]?.string == place.name && entered["rid"]?.string == place.id)
    }

    @Test func `a place that is entered or left is a transition, and a dwell the location that it is`() throws {
        func transition(_ event: Transition.Event) -> RecordContent {
            .transition(
                Transition(
                    event: event, place: Self.depot, centre: Coordinate(latitude: 53.5, longitude: 10), radius: 150,
                    created: Timestamp(secondsSince1970: 1_772_000_000)))
        }
        for event in [Transition.Event.enter, .leave] {
            #expect(
                try Self.body(transition(event), nil)
                    == #"{"_type":"transition","_id":"00112233-4455-8677-8899-AABBCCDDEEFF","lat":53.5503322,"#
                    + #""lon":9.9871234,"tst":1772359200,"wtst":1772000000,"acc":5,"event":"\#(event.name)","desc":"Depot \"Nord\"","rid":"depot","t":"c","#
                    + #""tid":"n7","topic":"owntracks/jane/van_7/event"}"#)
        }
        #expect(try Self.body(transition(.dwell), nil).hasPrefix(Self.beginning))
    }
}
