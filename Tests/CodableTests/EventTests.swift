import Foundation
import Testing
import TrackEngine
import TrackEngineIntegrations

/// Reads places and trip of a record, whatever else it has.
private struct ContextOnly: Decodable {
    let context: RecordContext?

    private enum Key: String, CodingKey { case places, onTrip }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        context = RecordContext(
            places: try members.decodeIfPresent([PlaceName].self, forKey: .places) ?? [],
            trip: try members.decodeIfPresent(CurrentTrip.self, forKey: .onTrip))
    }
}

@Suite struct EventTests {
    @Test(arguments: Samples.events)
    func `an event's record reads back as it was`(_ content: RecordContent) throws {
        let record = Samples.record(content)
        #expect(try Samples.roundTrip(record) == record)
    }

    @Test(arguments: Samples.events)
    func `what the engine writes of an event is read as the same event`(_ content: RecordContent) throws {
        var writer = JSONWriter()
        writer.raw(#"{"x":0"#)
        EventMembers.write(content, to: &writer)
        writer.raw("}")
        #expect(try JSONDecoder().decode(RecordContent.self, from: Data(writer.bytes)) == content)
    }

    @Test func `what the engine writes of a context is read as the same context`() throws {
        for context in [Samples.context, RecordContext(places: [Samples.depot])] {
            var writer = JSONWriter()
            CalmGeoRecord.write(Samples.record(in: context).draft, to: &writer)
            let read = try JSONDecoder().decode(ContextOnly.self, from: Data(writer.bytes))
            #expect(read.context == context)
            #expect(try Samples.roundTrip(Samples.record(in: context)) == Samples.record(in: context))
        }
    }

    @Test func `a kind that is not known is an error that names the known ones`() throws {
        #expect {
            try JSONDecoder().decode(RecordContent.self, from: Data(#"{"kind":"party"}"#.utf8))
        } throws: { "\($0)".contains("one of location, visit, trip, transition, action, heartbeat, power") }
    }
}
