import Foundation
import Testing
import TrackEngine
import TrackEngineHTTP

@Suite("Overland's running trip")
struct OverlandTripTests {
    private static let depot = PlaceName(id: "depot", name: "Depot")
    private static let trip = CurrentTrip(
        id: EventID(rawValue: 2), mode: .tram,
        start: Trip.End(
            time: Timestamp(secondsSince1970: 1_772_355_600), coordinate: Coordinate(latitude: 53.5, longitude: 10),
            place: depot),
        startedBy: .requested, odometerAtStart: 18_000)

    private static func record(_ second: Int64, metres: Double?, onTrip: Bool = true) -> TrackRecord {
        let fix = Fix(
            time: Timestamp(secondsSince1970: 1_772_355_600 + second),
            coordinate: Coordinate(latitude: 53.5, longitude: 10 + Double(second) / 1000))
        let draft = RecordDraft(
            id: RecordID(rawValue: UInt128(second)), fix: fix, isMoving: true, cause: .distance, source: "gps",
            odometer: metres, context: onTrip ? RecordContext(places: [depot], trip: trip) : nil)
        return TrackRecord(sequence: RecordSequence(rawValue: second), draft: draft)
    }

    private static func object(
        _ records: [TrackRecord], current: TrackRecord? = nil, events: RecordKinds = .trip
    ) throws -> [String: Any] {
        let body = Samples.body(records, current: current) { $0.events = events }
        return try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
    }

    private static func tripIDs(_ object: [String: Any]) -> [String?] {
        let features = object["locations"] as? [[String: Any]] ?? []
        return features.map { ($0["properties"] as? [String: Any])?["trip_id"] as? String }
    }

    @Test func `the envelope has the trip as the app has it, and the positions its id`() {
        let body = Samples.body([Self.record(60, metres: 18_123.4567)]) { $0.events = [.trip] }
        #expect(
            body == #"""
                {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[10.06,53.5]},\#
                "properties":{"timestamp":"2026-03-01T09:01:00Z","altitude":0,"speed":-1,"course":-1,\#
                "horizontal_accuracy":-1,"vertical_accuracy":-1,"speed_accuracy":-1,"course_accuracy":-1,\#
                "motion":[],"battery_state":"unknown","battery_level":-1,"wifi":"","device_id":"van-7",\#
                "record_id":"00000000-0000-0000-0000-00000000003C","trip_id":"2026-03-01T09:00:00Z",\#
                "odometer":18123.5}}],\#
                "trip":{"mode":"tram","start":"2026-03-01T09:00:00Z","distance":123.457,\#
                "start_location":{"type":"Feature","geometry":{"type":"Point","coordinates":[10,53.5]},\#
                "properties":{"timestamp":"2026-03-01T09:00:00Z","place":"Depot"}},\#
                "current_location":{"type":"Feature","geometry":{"type":"Point","coordinates":[10.06,53.5]},\#
                "properties":{"timestamp":"2026-03-01T09:01:00Z","altitude":0,"speed":-1,"course":-1,\#
                "horizontal_accuracy":-1,"vertical_accuracy":-1,"speed_accuracy":-1,"course_accuracy":-1,\#
                "motion":[],"battery_state":"unknown","battery_level":-1,"wifi":"","device_id":"van-7",\#
                "record_id":"00000000-0000-0000-0000-00000000003C","odometer":18123.5}}}}
                """#)
    }

    @Test func `a trip of several batches grows, and the batch after its end has none`() throws {
        let ways = try [18_000.0, 18_500, 19_250].map { metres in
            let object = try Self.object([Self.record(60, metres: metres - 1), Self.record(90, metres: metres)])
            #expect(Self.tripIDs(object) == ["2026-03-01T09:00:00Z", "2026-03-01T09:00:00Z"])
            return try #require(object["trip"] as? [String: Any])["distance"] as? Double
        }
        #expect(ways == [0, 500, 1250])
        // What is newest in the batch decides: the trip has ended meanwhile.
        let last = try Self.object([Self.record(100, metres: 19_260), Self.record(110, metres: 19_261, onTrip: false)])
        #expect(Self.tripIDs(last) == ["2026-03-01T09:00:00Z", nil])
        #expect(last["trip"] == nil)
    }

    @Test func `the newest record beside a backlog names no trip, and says how the trip stands`() throws {
        let object = try Self.object([Self.record(60, metres: 18_100)], current: Self.record(600, metres: 21_000))
        let current = try #require(object["current"] as? [String: Any])
        #expect((current["properties"] as? [String: Any])?["trip_id"] == nil)
        #expect((object["trip"] as? [String: Any])?["distance"] as? Double == 3000)
    }

    @Test func `who does not ask for trips is told of none`() throws {
        let object = try Self.object([Self.record(60, metres: 18_100)], events: [])
        #expect(object["trip"] == nil)
        #expect(Self.tripIDs(object) == [nil])
    }
}
