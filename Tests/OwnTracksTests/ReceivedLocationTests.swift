import OwnTracksFormat
import Testing
import TrackEngine

/// Positions of other devices as their apps write them.
@Suite struct ReceivedLocationTests {
    private func location(_ members: String) throws -> ReceivedLocation {
        ReceivedLocation(try JSONValue.parse(#"{"_type":"location",\#(members)}"#.utf8))
    }

    private func fix(_ more: String) throws -> Fix? {
        try location(#""lat":53.5,"lon":-10.25,"tst":1772359200\#(more.isEmpty ? "" : ",")\#(more)"#).fix
    }

    @Test func `units become the engine's`() throws {
        let fix = try #require(try fix(#""acc":12,"vac":3,"alt":-5,"vel":36,"cog":90"#))
        #expect(fix.time == Timestamp(secondsSince1970: 1_772_359_200))
        #expect(fix.coordinate == Coordinate(latitude: 53.5, longitude: -10.25))
        #expect(fix.horizontalAccuracy == 12 && fix.verticalAccuracy == 3 && fix.altitude == -5)
        #expect(fix.speed == 10 && fix.course == 90)
    }

    @Test func `what a message lacks, or has no number for, is unknown`() throws {
        for more in ["", #""acc":"12","vac":null,"alt":[5],"vel":true,"cog":{}"#] {
            let fix = try #require(try fix(more))
            #expect(fix.horizontalAccuracy == nil && fix.verticalAccuracy == nil && fix.altitude == nil)
            #expect(fix.speed == nil && fix.course == nil)
        }
    }

    /// The apps write -1 for an unknown course, and receivers of others write anything.
    @Test(
        arguments: [
            (#""cog":-1"#, nil, nil, nil), (#""cog":0"#, nil, nil, 0), (#""alt":999999"#, 999_999, nil, nil),
            (#""alt":-1000000"#, nil, nil, nil), (#""alt":1000000"#, nil, nil, nil),
            (#""vel":360000"#, nil, nil, nil), (#""vel":359999"#, nil, 359_999 / 3.6, nil),
        ] as [(String, Double?, Double?, Double?)])
    func `a value that cannot be is left out, and the position stays`(
        _ more: String, _ altitude: Double?, _ speed: Double?, _ course: Double?
    ) throws {
        let fix = try #require(try fix(more))
        #expect(fix.altitude == altitude && fix.speed == speed && fix.course == course)
    }

    @Test(arguments: [
        #""lon":10,"tst":1772359200"#, #""lat":53.5,"tst":1772359200"#, #""lat":53.5,"lon":10"#,
        #""lat":0,"lon":0,"tst":1772359200"#, #""lat":90.1,"lon":10,"tst":1772359200"#,
        #""lat":53.5,"lon":-180.1,"tst":1772359200"#, #""lat":53.5,"lon":10,"tst":0"#, #""lat":53.5,"lon":10,"tst":-1"#,
        #""lat":53.5,"lon":10,"tst":7258118400"#, #""lat":53.5,"lon":10,"tst":1772359200000"#,
        #""lat":"53.5","lon":10,"tst":1772359200"#,
    ])
    func `without a position on the Earth and a time until 2200 there is no fix`(_ members: String) throws {
        #expect(try location(members).fix == nil)
    }

    @Test(arguments: [(1, 1), (7_258_118_399, 7_258_118_399), (1_772_359_200.9, 1_772_359_200)])
    func `a time is in whole seconds, cut`(_ seconds: Double, _ whole: Int64) throws {
        let fix = try location(#""lat":53.5,"lon":10,"tst":\#(seconds)"#).fix
        #expect(fix?.time == Timestamp(secondsSince1970: whole))
    }

    @Test(
        arguments: [
            (#""created_at":1772359209"#, 1_772_359_209), (#""created_at":1772359209,"tst":1772359200"#, 1_772_359_200),
            (#""tst":"now","created_at":1772359209"#, nil), (#""tst":null,"created_at":1772359209"#, 1_772_359_209),
            ("", nil),
        ] as [(String, Int64?)])
    func `a message that names no time of its fix has its own`(_ members: String, _ seconds: Int64?) throws {
        let location = try location(#""lat":53.5,"lon":10\#(members.isEmpty ? "" : ",")\#(members)"#)
        #expect(location.fix?.time == seconds.map { Timestamp(secondsSince1970: $0) })
        #expect(location.hasTime == !members.isEmpty)
    }

    @Test func `numbers that are texts are read where a sender writes them so`() throws {
        let message = try JSONValue.parse(#"{"lat":"53.5","lon":"10","tst":"1772359200","vel":"36","bs":"2"}"#.utf8)
        let location = ReceivedLocation(message) { $0.number ?? $0.string.flatMap(Double.init) }
        #expect(location.fix?.speed == 10 && location.host?.batteryState == .charging)
        #expect(ReceivedLocation(message).fix == nil)
    }

    @Test(
        arguments: [
            ("", nil, nil), (#""batt":50"#, 0.5, .unknown), (#""bs":1"#, nil, .unplugged), (#""bs":2"#, nil, .charging),
            (#""bs":3,"batt":100"#, 1, .full), (#""bs":0"#, nil, nil), (#""bs":4,"batt":0"#, 0, .unknown),
            (#""bs":1.5"#, nil, nil),
        ] as [(String, Double?, HostStatus.BatteryState?)])
    func `a battery is in per cent, its state one of three numbers`(
        _ more: String, _ level: Double?, _ state: HostStatus.BatteryState?
    ) throws {
        let host = try location((more.isEmpty ? "" : more + ",") + #""tid":"x""#).host
        #expect(host?.batteryLevel == level && host?.batteryState == state)
    }

    @Test(
        arguments: [
            ("owntracks/jane/phone", "jane/phone"), ("owntracks/phone", "phone"), ("jane/phone", "jane/phone"),
            ("owntracks/a/jane/phone", "jane/phone"), ("a/b/c/d", "c/d"), ("/owntracks/jane//phone/", "jane/phone"),
            ("owntracks", nil), ("", nil), ("/", nil), ("OwnTracks/phone", "OwnTracks/phone"),
        ] as [(String, String?)])
    func `a device is named by the last two levels of its topic`(_ topic: String, _ device: String?) throws {
        #expect(ReceivedLocation.device(ofTopic: topic) == device)
        #expect(try location(#""topic":"\#(topic)""#).device == device)
    }
}
