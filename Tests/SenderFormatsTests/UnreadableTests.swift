import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

/// What is written and cannot be read is not taken for what is not there.
@Suite struct UnreadableTests {
    private static let form = "application/x-www-form-urlencoded"

    private func request(_ text: String, _ mediaType: String) -> SenderRequest {
        mediaType.isEmpty
            ? SenderRequest(query: ParameterList(text), time: Golden.received)
            : SenderRequest(body: Array(text.utf8), mediaType: mediaType, time: Golden.received)
    }

    @Test(arguments: ["", form])
    func `A request with a place that cannot be read is refused, in a query and in a form`(_ mediaType: String) {
        let places = [
            "lat=53,07&lon=8,80", "lat={-8.88}&lon={13.2}", "lat=53.07&lon=8,80", "lat={0}&lon={1}",
            "lat=%25LAT&lon=%25LON",
            "lat=&lon=", "lat=5%zz&lon=%ff", "lat=null&lon=null", "latitude=53%C2%B004'&longitude=8%C2%B048'",
        ]
        let traccar = ["location=53,07,8,80", "location=here", "lat=53.07", "lng=8.8&lat=", "LAT=53,07&LON=8,80"]
        let formats: [(any SenderFormat, [String])] = [
            (TraccarSender(), places + traccar), (GPSLoggerSender(), places), (MicroLoggerSender(), places),
        ]
        for (format, places) in formats {
            for place in places {
                let text = "action=addpos&id=van-7&\(place)&timestamp=1772359200&time=1772359200"
                let outcome = ReceptionText.of(request(text, mediaType), in: format)
                #expect(outcome.contains("\nreply 400"), "\(format.name), \(place)")
                expectMessage(outcome, begin: "unreadable", as: "no place for \(format.name)")
            }
        }
    }

    @Test(arguments: ["yesterday", "%zz", "01.03.2026+10:00", "{2}", ""])
    func `A request with a time that cannot be read is refused, and not of the moment in which it came`(_ time: String)
    {
        for format in [TraccarSender(), GPSLoggerSender(), MicroLoggerSender()] as [any SenderFormat] {
            let name = format is TraccarSender ? "timestamp" : "time"
            let text = "action=addpos&id=van-7&lat=53.55&lon=9.98&\(name)=\(time)"
            expectMessage(
                ReceptionText.of(request(text, ""), in: format), begin: "unreadable",
                as: "no time for \(format.name)")
        }
    }

    /// The app Colota writes the course so, and the speed in metres a second.
    @Test(arguments: [(#""bear":180.5"#, 13.5, 180.5), (#""cog":180"#, 3.75, 180), (#""cog":511"#, 3.75, nil)])
    func `An OwnTracks message has its speed in the unit of the app that sent it`(
        _ course: String, _ speed: Double, _ degrees: Double?
    ) throws {
        let text = #"{"_type":"location","tst":1772359200,"lat":53.55,"lon":9.98,"vel":13.5,\#(course)}"#
        let point = try #require(try OwnTracksSender().read(request(text, "application/json")).points.first).point
        #expect(point.fix.speed == speed && point.fix.course == degrees)
    }

    /// Colota without a known course, and with its templates for OwnTracks; and OwnTracks itself.
    @Test(arguments: [
        (#""acc":5,"batt":85,"bs":1"#, 13.5), (#""acc":5,"batt":85,"bs":1,"alt":40,"cog":180,"tid":"AA""#, 13.5),
        (#""acc":5,"batt":85,"bs":1,"tid":"ab","conn":"w""#, 3.75), (#""acc":5,"batt":85,"bs":1,"vac":3"#, 3.75),
        (#""acc":5,"batt":85"#, 3.75), (#""acc":5,"batt":85,"bs":1,"topic":"owntracks/a/b""#, 3.75),
    ])
    func `The speed of a message with the members of Colota is in metres a second`(
        _ members: String, _ speed: Double
    ) throws {
        let text = #"{"_type":"location","tst":1772359200,"lat":53.55,"lon":9.98,"vel":13.5,\#(members)}"#
        let point = try #require(try OwnTracksSender().read(request(text, "application/json")).points.first).point
        #expect(point.fix.speed == speed)
    }

    @Test func `An OwnTracks message without the time of its fix is of the moment in which it was made`() throws {
        let text = #"{"_type":"location","created_at":1772359200,"lat":53.55,"lon":9.98}"#
        let point = try #require(try OwnTracksSender().read(request(text, "application/json")).points.first).point
        #expect(point.fix.time == Timestamp(secondsSince1970: 1_772_359_200))
    }

    @Test func `An unknown time of the fix leaves that of the message`() throws {
        let text = #"{"_type":"location","tst":null,"created_at":1772359200,"lat":53.55,"lon":9.98}"#
        let point = try #require(try OwnTracksSender().read(request(text, "application/json")).points.first).point
        #expect(point.fix.time == Timestamp(secondsSince1970: 1_772_359_200))
    }

    @Test func `A short id of OwnTracks is kept only for a message without a time`() throws {
        let text = #"{"_type":"location","_id":"5f0b3c1a","tst":1772359200,"lat":53.55,"lon":9.98}"#
        for (text, id) in [(text, nil), (text.replacing(#""tst":1772359200,"#, with: ""), SenderID.text("5f0b3c1a"))] {
            let point = try #require(try OwnTracksSender().read(request(text, "application/json")).points.first).point
            #expect(point.senderID == id)
        }
    }

    @Test(arguments: ["fixTime", "gps_time", "utc", "utctime", "datetime", "tst", "unixtime", "epoch"])
    func `The time of a point has many names`(_ name: String) throws {
        for format in [TraccarSender(), GPSLoggerSender()] as [any SenderFormat] {
            let text = "id=van-7&lat=53.55&lon=9.98&\(name)=1772359200"
            let point = try #require(try format.read(request(text, "")).points.first).point
            #expect(point.fix.time == Timestamp(secondsSince1970: 1_772_359_200), "\(format.name)")
            for word in ["true", "453600"] {
                let other = request(text.replacing("1772359200", with: word), "")
                #expect(try format.read(other).points.first?.point.fix.time == Golden.received)
            }
        }
    }

    @Test(arguments: ["latitud=53&longitud=8", "amp;lat=53.5&amp;lon=8.8", "y=53&x=8", "geo=53,8", "gps[lat]=53"])
    func `A place under names that are not known is listed, and a sign of life is not`(_ place: String) throws {
        let text = "id=van-7&timestamp=1772359200&batt=50"
        #expect(try TraccarSender().read(request(text, "")).refusalCount == 0)
        #expect(try TraccarSender().read(request(text + "&" + place, "")).refusalCount == 1)
    }

    @Test(arguments: ["geometry", "position", "Coords"])
    func `A location whose place is under another name is no sign of life`(_ name: String) {
        let text =
            #"{"device_id":"van-7","location":{"timestamp":"2026-03-01T10:00:00Z","\#(name)":{"latitude":53.07,"longitude":8.8}}}"#
        #expect(ReceptionText.of(request(text, "application/json"), in: TraccarSender()).hasPrefix("unreadable"))
    }

    @Test(arguments: ["F", "f", "N", "V", "off", "false", "0"])
    func `A position that its sender calls invalid is listed`(_ word: String) throws {
        let reception = try TraccarSender().read(request("id=1&lat=53&lon=9&timestamp=1772359200&valid=\(word)", ""))
        #expect(reception.points.isEmpty && reception.refusalCount == 1)
    }

    @Test(arguments: [
        #"{"latitude":"53,07","longitude":"8,80"}"#, #"{"latitude":53.07}"#, #"{"latitude":null,"longitude":null}"#,
        "{}",
    ])
    func `JSON of Traccar's client without a readable place is refused`(_ coordinates: String) {
        let location = #"{"timestamp":"2026-03-01T10:00:00Z","coords":\#(coordinates)}"#
        for locations in [location, "[\(location),\(location)]"] {
            let text = #"{"device_id":"van-7","location":\#(locations)}"#
            #expect(ReceptionText.of(request(text, "application/json"), in: TraccarSender()).hasPrefix("unreadable"))
        }
    }

    @Test func `A location of Traccar's client whose place is at another level is no sign of life`() {
        let text =
            #"{"device_id":"van-7","location":{"timestamp":"2026-03-01T10:00:00Z","latitude":53.07,"longitude":8.8}}"#
        #expect(ReceptionText.of(request(text, "application/json"), in: TraccarSender()).hasPrefix("unreadable"))
    }

    @Test func `In a batch the element whose place cannot be read is refused and the rest is kept`() throws {
        func feature(_ latitude: String) -> String {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8.8,\#(latitude)]},"properties":{"timestamp":1772359200}}"#
        }
        func record(_ latitude: String) -> String {
            #"{"timestamp":"2026-03-01T10:00:00Z","coords":{"latitude":\#(latitude),"longitude":8.8}}"#
        }
        func location(_ latitude: String) -> String {
            #"{"Device":"a","Timestamp":"1772359200","Latitude":\#(latitude),"Longitude":8.8}"#
        }
        let batches: [(any SenderFormat, String)] = [
            (OverlandSender(), #"{"locations":[\#(feature(#""53,07""#)),\#(feature("53.07"))]}"#),
            (CalmGeoSender(), #"[\#(record(#""53,07""#)),\#(record("53.07"))]"#),
            (TraccarSender(), #"{"device_id":1,"location":[\#(record(#""53,07""#)),\#(record("53.07"))]}"#),
            (MiataruSender(), #"{"MiataruLocation":[\#(location(#""53,07""#)),\#(location("53.07"))]}"#),
        ]
        for (format, text) in batches {
            let reception = try format.read(request(text, "application/json"))
            #expect(reception.points.map(\.point.fix.coordinate.latitude) == [53.07], "\(format.name)")
            #expect(reception.refusals.map(\.index) == [0], "\(format.name)")
        }
        let own = #"{"_type":"location","tst":1772359200,"lat":"53,07","lon":8.8}"#
        let reception = try OwnTracksSender().read(request(own, "application/json"))
        #expect(reception.points.isEmpty && reception.refusalCount == 1)
    }

    /// A request of each format with a value that cannot be read, and the name under which that is listed.
    static let values: [(any SenderFormat, String, String, unread: String)] = [
        (TraccarSender(), "id=1&lat=53.55&lon=9.98&timestamp=1772359200&speed=10,5&altitude=12", "", "speed"),
        (TraccarSender(), "id=1&lat=53.55&lon=9.98&timestamp=1772359200&altitude=%zz", form, "altitude"),
        (GPSLoggerSender(), "lat=53.55&lon=9.98&time=1772359200&spd=%25SPD&acc=5", "", "spd"),
        (MicroLoggerSender(), "action=addpos&lat=53.55&lon=9.98&time=1772359200&altitude=12,5", form, "altitude"),
        (
            TraccarSender(),
            #"{"device_id":1,"location":{"timestamp":1772359200,"coords":{"latitude":53.55,"longitude":9.98,"speed":"fast"}}}"#,
            "application/json", "speed"
        ),
        (
            OverlandSender(),
            #"{"geometry":{"type":"Point","coordinates":[9.98,53.55]},"properties":{"timestamp":1772359200,"altitude":"12,5"}}"#,
            "application/json", "altitude"
        ),
        (
            CalmGeoSender(),
            #"[{"timestamp":1772359200,"coords":{"latitude":53.55,"longitude":9.98,"accuracy":"5 m"},"battery":{"level":0.5}}]"#,
            "application/json", "accuracy"
        ),
        (
            OwnTracksSender(), #"{"_type":"location","tst":1772359200,"lat":53.55,"lon":9.98,"vel":"4,5"}"#,
            "application/json", "vel"
        ),
        (
            MiataruSender(),
            #"{"MiataruLocation":{"Device":"a","Timestamp":1772359200,"Latitude":53.55,"Longitude":9.98,"HorizontalAccuracy":true}}"#,
            "application/json", "HorizontalAccuracy"
        ),
    ]

    @Test(arguments: values.indices)
    func `A point whose speed, altitude or accuracy cannot be read is kept without it, and the value is listed`(
        _ index: Int
    ) throws {
        let (format, text, mediaType, unread) = Self.values[index]
        let reception = try format.read(request(text, mediaType))
        #expect(reception.points.count == 1 && reception.refusalCount == 0)
        #expect(reception.unread == [unread: 1])
    }

    @Test(arguments: ["", "null", "unknown", "Unavailable", "nan", "None", "-1", "+"])
    func `Words for a value that is not known are not listed`(_ word: String) throws {
        let text = "id=1&lat=53.55&lon=9.98&timestamp=1772359200&speed=\(word)&altitude=\(word)&batt=\(word)"
        let reception = try TraccarSender().read(request(text, ""))
        #expect(reception.points.count == 1 && reception.unread.isEmpty)
    }

    /// A request of each format in JSON, with places for latitude, altitude and another value.
    static let documents: [(any SenderFormat, @Sendable (String, String) -> String)] = [
        (
            OwnTracksSender(),
            { #"{"_type":"location","tst":1772359200,"lat":\#($0),"lon":8.8,"alt":\#($1),"vel":\#($1)}"# }
        ),
        (
            OverlandSender(),
            {
                #"{"locations":[{"geometry":{"type":"Point","coordinates":[8.8,\#($0),\#($1)]},"#
                    + #""properties":{"timestamp":1772359200,"speed":\#($1)}}],"current":\#($1)}"#
            }
        ),
        (
            OverlandSender.dawarich,
            {
                #"{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":["#
                    + "8.8,\n\($0)\n]}," + #""properties":{"timestamp":1772359200,"altitude":\#($1)}}]}"#
            }
        ),
        (
            TraccarSender(),
            {
                #"{"device_id":1,"battery":\#($1),"location":{"timestamp":1772359200,"#
                    + #""coords":{"latitude":\#($0),"longitude":8.8,"altitude":\#($1)}}}"#
            }
        ),
        (
            CalmGeoSender(),
            {
                #"[{"timestamp":1772359200,"coords":{"latitude":\#($0),"longitude":8.8,"altitude":\#($1)},"#
                    + #""battery":{"level":\#($1)}}]"#
            }
        ),
        (
            MiataruSender(),
            {
                #"{"MiataruLocation":[{"Device":"a","Timestamp":1772359200,"Latitude":\#($0),"Longitude":8.8,"#
                    + #""Altitude":\#($1)}]}"#
            }
        ),
    ]

    @Test(arguments: documents.indices, ["NaN", "Infinity", "-Infinity", "\n\tNaN\r\n"])
    func `Python's words for no number count as absent, and without a place the point is refused and listed`(
        _ index: Int, _ word: String
    ) throws {
        let (format, text) = Self.documents[index]
        let reception = try format.read(request(text("53.07", word), "application/json"))
        #expect(reception.points.map(\.point.fix.coordinate.latitude) == [53.07])
        #expect(reception.points.allSatisfy { $0.point.fix.altitude == nil && $0.point.fix.speed == nil })
        #expect(reception.refusalCount == 0 && reception.unread.isEmpty)
        let refused = ReceptionText.of(request(text(word, "12"), "application/json"), in: format)
        let isListed = refused.hasPrefix("unreadable") || refused.contains("expected a latitude")
        #expect(isListed, "\(refused)")
    }

    @Test func `The device in Traccar's JSON is found beside such words, which stay as they are within texts`() throws {
        let text = #"{"device_id":"a, NaN, \",NaN,","location":{"coords":{"altitude":NaN}}}"#
        #expect(TraccarSender().device(in: request(text, "application/json")) == #"a, NaN, ",NaN,"#)
        for text in [#"{"device_id":NaNcy}"#, #"{"device_id":nano}"#, #"{NaN:1}"#, "NaN", #"{"device_id":"a"NaN}"#] {
            #expect(TraccarSender().device(in: request(text, "application/json")) == nil, "\(text)")
        }
    }

    @Test func `An element that is too long is read without its longest members, beside such words`() throws {
        let photo = String(repeating: "x", count: 70_000)
        let text =
            #"{"_type":"location","tst":1772359200,"lat":53.07,"lon":8.8,"alt":NaN,"photo":"\#(photo)","vel":NaN}"#
        let reception = try OwnTracksSender().read(request(text, "application/json"))
        #expect(reception.points.count == 1 && reception.points.first?.point.fix.altitude == nil)
    }

    @Test(arguments: ["lat=530.7&lon=8.80", "lat=53.07&lon=-880", "lat=-91&lon=8.8"])
    func `A request with a place beyond the earth is refused, as one that cannot be read`(_ place: String) {
        for format in [TraccarSender(), GPSLoggerSender(), MicroLoggerSender()] as [any SenderFormat] {
            let text = "action=addpos&id=van-7&\(place)&timestamp=1772359200&time=1772359200"
            #expect(ReceptionText.of(request(text, ""), in: format).contains("\nreply 400"), "\(format.name)")
        }
    }
}
