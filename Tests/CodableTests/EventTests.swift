import Foundation
import Testing
import TrackEngine
import TrackEngineCodable

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

    @Test func `a kind that is not known is an error that names the known ones`() throws {
        #expect {
            try JSONDecoder().decode(RecordContent.self, from: Data(#"{"kind":"party"}"#.utf8))
        } throws: { "\($0)".contains("one of location, visit, trip, transition, action, heartbeat, power") }
    }
}
