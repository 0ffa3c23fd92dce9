import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

@Suite("Requests of the OsmAnd protocol")
struct OsmAndRequestTests {
    private func request(
        _ record: TrackRecord, _ format: OsmAndSink.Configuration.Format, url: String = "http://127.0.0.1:5055",
        device: DeviceID = "van-7"
    ) throws -> (url: String, body: String) {
        var configuration = OsmAndSink.Configuration(url: url, deviceID: device)
        configuration.format = format
        let request = OsmAndEncoder(configuration, endpoint: try Endpoint(url)).request(for: record)
        return (request.endpoint.text, String(decoding: request.body, as: UTF8.self))
    }

    /// The parameters alone.
    private func query(_ record: TrackRecord, device: DeviceID = "van-7") throws -> Substring {
        try request(record, .query, device: device).url.split(separator: "?")[1]
    }

    private func record(at seconds: Int64, course: Double? = nil, host: HostStatus? = nil) -> TrackRecord {
        Samples.record(
            Fix(
                time: Timestamp(secondsSince1970: seconds), coordinate: Coordinate(latitude: 1, longitude: 2),
                course: course, flags: .simulated),
            host: host)
    }

    // MARK: Parameters

    @Test func `parameters have seconds, knots, per cent and metres`() throws {
        let request = try request(Samples.full, .query)
        #expect(
            request.url == "http://127.0.0.1:5055/?id=van-7&timestamp=1772359200&lat=53.5503322&lon=9.9871234"
                + "&altitude=12.5&speed=6.665&bearing=359.7&accuracy=4.6&hdop=0.8&sat=9&batt=64&charge=false&motion=true"
                + "&odometer=18342.7")
        #expect(request.body == "")
    }

    @Test func `parameters whose value is unknown are left out`() throws {
        #expect(
            try query(Samples.bare) == "id=van-7&timestamp=1772359201&lat=-33.8688&lon=-151.2093&motion=true")
    }

    @Test func `a simulated fix says so`() throws {
        #expect(try query(record(at: 0)) == "id=van-7&timestamp=0&lat=1&lon=2&motion=true&mock=true")
    }

    @Test func `the address keeps its own parameters, and the device's name is escaped`() throws {
        let request = try request(
            record(at: 5), .query, url: "https://example.org/in?key=a%2Bb", device: "van 7&lat=3")
        #expect(
            request.url
                == "https://example.org/in?key=a%2Bb&id=van%207%26lat%3D3&timestamp=5&lat=1&lon=2&motion=true&mock=true"
        )
    }

    /// Traccar takes numbers from 2^31 - 1 on for milliseconds.
    @Test func `times that Traccar would take for milliseconds are written in milliseconds`() throws {
        #expect(try query(record(at: 2_147_483_646)).contains("&timestamp=2147483646&"))
        #expect(try query(record(at: 2_147_483_647)).contains("&timestamp=2147483647000&"))
    }

    @Test(arguments: [(359.94, "359.9"), (359.95, "0"), (0, "0"), (90.04, "90")])
    func `a bearing has one decimal and stays below 360`(_ course: Double, _ written: String) throws {
        #expect(try query(record(at: 0, course: course)).contains("&bearing=\(written)&"))
        #expect(try request(record(at: 0, course: course), .json).body.contains(#""heading":\#(written),"#))
    }

    @Test(arguments: [
        (HostStatus.BatteryState.unknown, "&batt=5"), (.unplugged, "&batt=5&charge=false"),
        (.charging, "&batt=5&charge=true"), (.full, "&batt=5&charge=true"),
    ])
    func `charge is whether there is power from outside`(_ state: HostStatus.BatteryState, _ written: String) throws {
        let query = try query(record(at: 0, host: HostStatus(batteryLevel: 0.05, batteryState: state)))
        #expect(query.hasSuffix("&lon=2\(written)&motion=true&mock=true"))
    }

    // MARK: JSON

    @Test func `the JSON has milliseconds, metres per second and a level of 0 to 1`() throws {
        let request = try request(Samples.full, .json)
        #expect(request.url == "http://127.0.0.1:5055/")
        #expect(
            request.body == #"{"device_id":"van-7","location":{"timestamp":"2026-03-01T10:00:00.987Z","#
                + #""uuid":"00112233-4455-8677-8899-AABBCCDDEEFF","coords":{"latitude":53.5503322,"#
                + #""longitude":9.9871234,"accuracy":4.6,"speed":3.43,"heading":359.7,"altitude":12.5,"#
                + #""altitude_accuracy":7.5},"is_moving":true,"odometer":18342.7,"activity":{"type":"walking"},"#
                + #""battery":{"level":0.64,"is_charging":false}}}"#)
    }

    @Test func `the JSON has every coordinate that Traccar demands, and nothing else that is unknown`() throws {
        #expect(
            try request(Samples.bare, .json).body
                == #"{"device_id":"van-7","location":{"timestamp":"2026-03-01T10:00:01.000Z","#
                + #""uuid":"00112233-4455-8677-8899-AABBCCDDEEFF","coords":{"latitude":-33.8688,"#
                + #""longitude":-151.2093,"accuracy":-1,"speed":-1,"heading":-1,"altitude":0,"altitude_accuracy":-1},"#
                + #""is_moving":true}}"#)
    }

    @Test func `the JSON says what is simulated, an event, and escapes the device's name`() throws {
        let draft = RecordDraft(
            id: Samples.bare.id, fix: record(at: 0).fix, isMoving: false, event: .motionChange, cause: .still,
            source: "gps")
        let body = try request(
            TrackRecord(sequence: RecordSequence(rawValue: 1), draft: draft), .json, device: #"a"b"#
        ).body
        #expect(body.hasPrefix(#"{"device_id":"a\"b","location":{"timestamp":"1970-01-01T00:00:00.000Z","#))
        #expect(body.hasSuffix(#""is_moving":false,"event":"motionchange","mock":true}}"#))
    }
}
