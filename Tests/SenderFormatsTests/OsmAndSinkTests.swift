import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineHistory
import TrackEngineServer
import TrackEngineSettings
import TrackEngineTestKit

/// What the OsmAnd sink sends is what our receiver reads.
@Suite struct OsmAndSinkTests {
    private func received(
        _ record: TrackRecord, in format: OsmAndSink.Configuration.Format
    ) throws -> (device: String?, point: HistoryPoint) {
        var configuration = OsmAndSink.Configuration(url: "http://127.0.0.1:5055", deviceID: "van 7+ä")
        configuration.format = format
        let sent = OsmAndEncoder(configuration, endpoint: try Endpoint(configuration.url)).request(for: record)
        let parameters = sent.endpoint.target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let request = SenderRequest(
            query: ParameterList(parameters), body: sent.body,
            mediaType: sent.body.isEmpty ? "" : "application/json", time: Golden.received)
        let reception = try TraccarSender().read(request)
        let point = try #require(reception.points.first)
        #expect(reception.points.count == 1 && reception.refusals.isEmpty)
        return (point.device, point.point)
    }

    @Test(arguments: OsmAndSink.Configuration.Format.allCases)
    func `A record of the OsmAnd sink is read as it was`(_ format: OsmAndSink.Configuration.Format) throws {
        let record = SampleRecords.record(1)
        let (device, point) = try received(record, in: format)
        #expect(device == "van 7+ä")
        #expect(point.fix.time == record.fix.time)
        #expect(point.fix.coordinate == record.fix.coordinate)
        #expect(point.fix.altitude == record.fix.altitude)
        #expect(point.fix.course == record.fix.course)
        #expect(point.fix.horizontalAccuracy == record.fix.horizontalAccuracy)
        // Half a thousandth of a knot.
        #expect(abs(try #require(point.fix.speed) - (try #require(record.fix.speed))) < 0.000_26)
        #expect(point.host == record.host)
    }

    @Test(arguments: OsmAndSink.Configuration.Format.allCases)
    func `What the OsmAnd sink does not know stays unknown`(_ format: OsmAndSink.Configuration.Format) throws {
        let fix = Fix(
            time: Timestamp(secondsSince1970: 1_772_359_200), coordinate: Coordinate(latitude: -33.5, longitude: 151.25)
        )
        let draft = RecordDraft(id: RecordID(rawValue: 1), fix: fix, isMoving: true, cause: .distance, source: "gps")
        let (_, point) = try received(TrackRecord(sequence: RecordSequence(rawValue: 1), draft: draft), in: format)
        #expect(point.fix == fix)
        #expect(point.host == nil)
    }

    @Test func `The JSON of the OsmAnd sink carries the record's id`() throws {
        let record = SampleRecords.record(1)
        #expect(try received(record, in: .json).point.senderID == .record(record.id))
    }
}
