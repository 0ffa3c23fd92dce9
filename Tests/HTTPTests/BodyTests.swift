import Foundation
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("Bodies")
struct BodyTests {
    @Test func `an Overland body has every property`() {
        #expect(
            Samples.body([Samples.full]) == #"""
                {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[9.9871234,53.5503321]},\#
                "properties":{"timestamp":"2026-03-01T10:00:00Z","altitude":13,"speed":3.42,"course":0,\#
                "horizontal_accuracy":5,"vertical_accuracy":8,"speed_accuracy":0.51,"course_accuracy":12.25,\#
                "motion":["walking"],"battery_state":"unplugged","battery_level":0.63,"wifi":"","device_id":"van-7",\#
                "record_id":"00112233-4455-8677-8899-AABBCCDDEEFF","satellites":9,"hdop":0.8,\#
                "odometer":18342.7}}]}
                """#)
    }

    @Test func `what is unknown is -1, empty or 0 in an Overland body, never left out`() {
        #expect(
            Samples.body([Samples.bare]) == #"""
                {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-151.2093,-33.8688]},\#
                "properties":{"timestamp":"2026-03-01T10:00:01Z","altitude":0,"speed":-1,"course":-1,\#
                "horizontal_accuracy":-1,"vertical_accuracy":-1,"speed_accuracy":-1,"course_accuracy":-1,\#
                "motion":[],"battery_state":"unknown","battery_level":-1,"wifi":"","device_id":"van-7",\#
                "record_id":"00112233-4455-8677-8899-AABBCCDDEEFF"}}]}
                """#)
    }

    @Test func `a Trace body has Trace's properties`() {
        #expect(
            Samples.body([Samples.full]) { $0.profile = .trace } == #"""
                {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[9.9871234,53.5503321]},\#
                "properties":{"speed":3.42,"motion":["walking"],"timestamp":"2026-03-01T10:00:00Z",\#
                "speed_accuracy":0.51,"horizontal_accuracy":4.6,"vertical_accuracy":7.5,"wifi":"unknown",\#
                "course":359.7,"altitude":12.5,"course_accuracy":12.25}}]}
                """#)
    }

    @Test func `a CalmGeo body is an array of CalmGeo's records`() {
        #expect(
            Samples.body([Samples.full]) { $0.profile = .calmgeo } == #"""
                [{"id":"00112233-4455-8677-8899-AABBCCDDEEFF","timestamp":"2026-03-01T10:00:00.987Z","isMoving":true,\#
                "odometer":18342.678,"coords":{"latitude":53.55033219,"longitude":9.9871234,"accuracy":4.6,"speed":3.429,\#
                "speedAccuracy":0.519,"heading":359.7,"headingAccuracy":12.256,"altitude":12.5,\#
                "altitudeAccuracy":7.5,"ellipsoidalAltitude":56,"mock":false,"external":false},\#
                "activity":{"type":"walking","confidence":67}}]
                """#)
    }

    @Test func `the newest record goes out as current beside the locations`() throws {
        let body = Samples.body([Samples.bare], current: Samples.full)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        let current = try #require(object["current"] as? [String: Any])
        #expect(current["type"] as? String == "Feature")
        #expect((current["properties"] as? [String: Any])?["timestamp"] as? String == "2026-03-01T10:00:00Z")
    }

    @Test func `milliseconds are cut, not rounded`() throws {
        let body = Samples.body([Samples.full]) { $0.timestampPrecision = .milliseconds }
        #expect(try Samples.properties(of: body)["timestamp"] as? String == "2026-03-01T10:00:00.987Z")
    }

    @Test func `integer speed is rounded`() throws {
        let fast = Samples.record(
            Fix(
                time: Samples.bare.fix.time, coordinate: Samples.bare.fix.coordinate, speed: 3.5))
        let body = Samples.body([fast]) { $0.integerSpeed = true }
        #expect(body.contains(#""speed":4,"#))
    }

    @Test func `an unknown battery may be left out`() throws {
        let properties = try Samples.properties(of: Samples.body([Samples.bare]) { $0.unknownBattery = .omitted })
        #expect(properties["battery_level"] == nil && properties["battery_state"] == nil)
    }

    @Test func `an unknown battery may stand for mains power`() {
        let body = Samples.body([Samples.bare]) { $0.unknownBattery = .mains }
        #expect(body.contains(#""battery_state":"full","battery_level":1,"#))
    }

    @Test func `a known battery is told under every policy`() {
        let body = Samples.body([Samples.full]) { $0.unknownBattery = .omitted }
        #expect(body.contains(#""battery_level":0.63"#))
    }

    @Test func `an assumed accuracy stands for an unknown one only`() throws {
        let bare = Samples.body([Samples.bare]) { $0.assumedAccuracy = 50 }
        let full = Samples.body([Samples.full]) { $0.assumedAccuracy = 50 }
        #expect(bare.contains(#""horizontal_accuracy":50,"#))
        #expect(full.contains(#""horizontal_accuracy":5,"#))
    }

    @Test func `an accuracy under half a metre does not become 0`() {
        let precise = Samples.record(
            Fix(
                time: Samples.bare.fix.time, coordinate: Samples.bare.fix.coordinate, horizontalAccuracy: 0.02))
        #expect(Samples.body([precise]).contains(#""horizontal_accuracy":1,"#))
    }

    @Test(arguments: Activity.allCases)
    func `each activity gives Overland's motion`(_ activity: Activity) throws {
        let record = Samples.record(Samples.bare.fix, activity: activity)
        let motion = try Samples.properties(of: Samples.body([record]))["motion"] as? [String]
        #expect(motion == (activity == .unknown ? [] : [activity.name]))
    }

    @Test(
        arguments: [
            (9.987_123_4, "9.9871234"), (9.987_123_49, "9.9871234"), (-9.987_123_49, "-9.9871234"),
            (53.550_332_1, "53.5503321"), (180, "180"), (-180, "-180"), (0.000_000_01, "0"), (-0.000_000_01, "0"),
            (0.1 + 0.2, "0.3"),
        ] as [(Double, String)])
    func `coordinates are cut to seven decimals toward zero`(_ value: Double, _ text: String) {
        var writer = JSONWriter()
        writer.cut(value, decimals: 7)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }

    @Test func `a device's name is escaped`() throws {
        let body = Samples.body([Samples.bare]) { $0.deviceID = "ü \"7\" \\" }
        #expect(try Samples.properties(of: body)["device_id"] as? String == "ü \"7\" \\")
    }

    @Test(arguments: OverlandSink.Configuration.Profile.allCases)
    func `every profile writes JSON that a real parser reads, also for extreme values`(
        _ profile: OverlandSink.Configuration.Profile
    ) throws {
        let extreme = Samples.record(
            Fix(
                time: Timestamp(nanosecondsSince1970: .min),
                coordinate: Coordinate(latitude: -90, longitude: 180), altitude: 1e300,
                horizontalAccuracy: .greatestFiniteMagnitude, speed: .leastNonzeroMagnitude, course: 359.999_999_9))
        let body = Samples.body([Samples.full, Samples.bare, extreme], current: extreme) { $0.profile = profile }
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(body.utf8)) }
    }

    @Test(arguments: OverlandSink.Configuration.Profile.allCases)
    func `the same records give the same bytes`(_ profile: OverlandSink.Configuration.Profile) {
        let records = SampleRecords.records(count: 50)
        #expect(
            Samples.body(records) { $0.profile = profile } == Samples.body(records) { $0.profile = profile })
    }

    @Test func `a record's id is written as its description`() {
        for record in SampleRecords.records(count: 20) {
            var writer = JSONWriter()
            writer.recordID(record.id)
            #expect(String(decoding: writer.bytes, as: UTF8.self) == "\"\(record.id)\"")
        }
    }
}

/// What an Overland body has when its settings want more, or less.
@Suite struct OverlandOptionTests {
    @Test func `tracking stats are members of each location, as Overland has them`() throws {
        let body = Samples.body([Samples.full]) {
            $0.trackingStatistics = true
            $0.desiredAccuracy = .hundredMeters
        }
        #expect(
            body.contains(
                #","pauses":false,"activity":"other","desired_accuracy":100,"tracking_mode":1,"locations_in_payload":1}}"#
            ))
        #expect(!Samples.body([Samples.full]).contains("tracking_mode"))
    }

    @Test func `a device has one unique id, whatever it sends`() throws {
        let first =
            try Samples.properties(of: Samples.body([Samples.full]) { $0.uniqueID = true })["unique_id"] as? String
        let second =
            try Samples.properties(of: Samples.body([Samples.bare]) { $0.uniqueID = true })["unique_id"] as? String
        let other =
            try Samples.properties(
                of: Samples.body([Samples.bare]) {
                    $0.uniqueID = true
                    $0.deviceID = "van-8"
                })["unique_id"] as? String
        #expect(first != nil && first == second && other != first)
        #expect(first.flatMap { UUID(uuidString: $0) } != nil)
        #expect(try Samples.properties(of: Samples.body([Samples.bare]))["unique_id"] == nil)
    }

    private static func sink(_ change: (inout OverlandSink.Configuration) -> Void) throws -> OverlandSink {
        try OverlandSink(configuration: Samples.configuration("http://127.0.0.1:9/ok", change))
    }

    @Test func `of the positions that wait the newest alone is sent, and behind a batch with more none`() async throws {
        let sink = try Self.sink { $0.latestOnly = true }
        let records = [Samples.bare, Samples.full].enumerated().map {
            TrackRecord(sequence: RecordSequence(rawValue: Int64($0 + 1)), draft: $1.draft)
        }
        let last = String(decoding: sink.body(for: RecordBatch(records: records)), as: UTF8.self)
        #expect(last == Samples.body([records[1]]))
        let early = RecordBatch(records: records, current: Samples.full)
        #expect(String(decoding: sink.body(for: early), as: UTF8.self) == #"{"locations":[]}"#)
        // Nothing is sent for it, so nobody has to be there.
        #expect(try await sink.deliver(early).settled == 2)
        await sink.close()
    }
}
