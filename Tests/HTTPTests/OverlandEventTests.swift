import Foundation
import Testing
import TrackEngine
import TrackEngineHTTP

@Suite("Overland's features beside locations")
struct OverlandEventTests {
    private static let depot = PlaceName(id: "depot", name: "Depot")
    private static let arrival = Timestamp(secondsSince1970: 1_772_355_600)  // 2026-03-01T09:00:00Z

    private static func record(_ content: RecordContent) -> TrackRecord {
        TrackRecord(
            sequence: RecordSequence(rawValue: 2),
            draft: RecordDraft(
                id: Samples.full.id, fix: Samples.full.fix, isMoving: false, cause: .detected, source: "gps",
                host: Samples.full.host, content: content))
    }

    private static func visit(_ departure: Timestamp?) -> RecordContent {
        .visit(
            Visit(
                id: EventID(rawValue: 1), centre: Coordinate(latitude: 53.5, longitude: 10), radius: 35.6,
                arrival: arrival, departure: departure, place: depot))
    }

    private static func trip(_ end: Trip.End?) -> RecordContent {
        .trip(
            Trip(
                id: EventID(rawValue: 2), mode: .bicycle,
                start: Trip.End(
                    time: arrival, coordinate: Coordinate(latitude: 53.5, longitude: 10), place: depot), end: end,
                distance: 1250.55, movingTime: .seconds(61), startedBy: .automatic,
                endedBy: end.map { _ in .automatic }))
    }

    @Test func `a visit has arrival and departure, which is null while it lasts`() {
        #expect(
            Samples.body([Self.record(Self.visit(nil))]) == #"""
                {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[10,53.5]},\#
                "properties":{"timestamp":"2026-03-01T10:00:00Z","action":"visit","arrival_date":"2026-03-01T09:00:00Z",\#
                "departure_date":null,"horizontal_accuracy":36,"visit_id":"00000000-0000-0000-0000-000000000001",\#
                "place":"Depot","battery_state":"unplugged","battery_level":0.63,"wifi":"","device_id":"van-7",\#
                "record_id":"00112233-4455-8677-8899-AABBCCDDEEFF"}}]}
                """#)
        #expect(
            Samples.body([Self.record(Self.visit(Samples.full.fix.time))])
                .contains(#""departure_date":"2026-03-01T10:00:00Z""#))
    }

    @Test func `a trip has both ends as features`() {
        let end = Trip.End(time: Samples.full.fix.time, coordinate: Samples.full.fix.coordinate)
        #expect(
            Samples.body([Self.record(Self.trip(end))]) == #"""
                {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[9.9871234,53.5503321]},\#
                "properties":{"timestamp":"2026-03-01T10:00:00Z","type":"trip","mode":"bicycle",\#
                "start":"2026-03-01T09:00:00Z","end":"2026-03-01T10:00:00Z",\#
                "start_location":{"type":"Feature","geometry":{"type":"Point","coordinates":[10,53.5]},\#
                "properties":{"timestamp":"2026-03-01T09:00:00Z","place":"Depot"}},\#
                "end_location":{"type":"Feature","geometry":{"type":"Point","coordinates":[9.9871234,53.5503321]},\#
                "properties":{"timestamp":"2026-03-01T10:00:00Z"}},\#
                "duration":3600.988,"distance":1250.6,"stopped_automatically":true,"steps":0,\#
                "trip_id":"2026-03-01T09:00:00Z","battery_state":"unplugged","battery_level":0.63,"wifi":"",\#
                "device_id":"van-7","record_id":"00112233-4455-8677-8899-AABBCCDDEEFF"}}]}
                """#)
    }

    @Test func `an action has the last position`() {
        #expect(
            Samples.body([Self.record(.action(.paused))]) == #"""
                {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[9.9871234,53.5503321]},\#
                "properties":{"timestamp":"2026-03-01T10:00:00Z","action":"paused_location_updates",\#
                "battery_state":"unplugged","battery_level":0.63,"wifi":"","device_id":"van-7",\#
                "record_id":"00112233-4455-8677-8899-AABBCCDDEEFF"}}]}
                """#)
    }

    @Test func `a trip that has just begun is settled without a feature`() async throws {
        let sink = try OverlandSink(configuration: Samples.configuration { $0.events = [.trip] })
        let receipt = try await sink.deliver(RecordBatch(records: [Self.record(Self.trip(nil))]))
        #expect(receipt == Receipt(settled: 1))
        #expect(!sink.carries(Self.record(Self.trip(nil))), "so that no delivery of nothing counts as one")
        await sink.close()
    }

    @Test func `events are carried where they are asked for, in the profile that has them`() async throws {
        let wanted = try OverlandSink(
            configuration: Samples.configuration { $0.events = [.visit, .trip, .transition] })
        let plain = try OverlandSink(configuration: Samples.configuration())
        let trace = try OverlandSink(
            configuration: Samples.configuration {
                $0.events = .all
                $0.profile = .trace
            })
        #expect(wanted.kinds == [.location, .visit, .trip])
        #expect(plain.kinds == .location)
        #expect(trace.kinds == .location)
        for sink in [wanted, plain, trace] { await sink.close() }
    }
}
