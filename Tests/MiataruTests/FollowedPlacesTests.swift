import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

/// What a source makes of a server's replies.
@Suite struct FollowedPlacesTests {
    private static let now = Timestamp(secondsSince1970: 1_770_000_000)
    private static let anna = FollowEntry(id: Secret("A"), name: "Anna", group: "family")
    private static let ben = FollowEntry(id: Secret("B"), name: "Ben")
    private static let home: NamedPlace = {
        var place = NamedPlace(name: "Home", coordinate: Coordinate(latitude: 49.9, longitude: 10.9))
        place.radius = 100
        return place
    }()

    private static func reply(_ json: String) throws -> [String: ReportedPosition] {
        try ReportedPosition.all(in: JSONValue.parse(Array(#"{"MiataruLocation":[\#(json)]}"#.utf8)), now: now)
    }

    private static func entry(_ id: String, _ seconds: Int, latitude: Double = 50) -> String {
        #"{"Device":"\#(id)","Timestamp":"\#(seconds)","Longitude":10.9,"Latitude":\#(latitude),"HorizontalAccuracy":5}"#
    }

    @Test func `a place with a time ahead hides none that comes later, and is news once`() throws {
        var places = FollowedPositions(source: "miataru", places: [])
        let later = Int(Self.now.secondsSince1970) + 80_000
        let ahead = places.take(try Self.reply(Self.entry("A", later)), about: [Self.anna])
        #expect(ahead.first?.report.fix?.time == Self.now)
        #expect(places.take(try Self.reply(Self.entry("A", later)), about: [Self.anna]).isEmpty)
        let text = Self.entry("A", Int(Self.now.secondsSince1970) + 5, latitude: 51)
        let json = try JSONValue.parse(Array(#"{"MiataruLocation":[\#(text)]}"#.utf8))
        let next = try ReportedPosition.all(in: json, now: Self.now.advanced(by: .seconds(10)))
        #expect(places.take(next, about: [Self.anna]).first?.report.fix?.coordinate.latitude == 51)
    }

    @Test func `who is followed no more is told by name, and who was only renamed is not`() throws {
        var places = FollowedPositions(source: "miataru", places: [])
        _ = places.take(try Self.reply(Self.entry("A", 1_769_999_000)), about: [Self.anna, Self.ben])
        #expect(places.keep([Self.ben]) == ["Anna"])
        #expect(places.keep([FollowEntry(id: Secret("C"), name: "Ben")]) == [])
    }

    @Test func `a place with a lost latitude leaves the one before, however often the server repeats it`() throws {
        var places = FollowedPositions(source: "miataru", places: [])
        let first = places.take(try Self.reply(Self.entry("A", 1_769_999_000)), about: [Self.anna])
        #expect(first.first?.report.fix?.coordinate.latitude == 50)
        let lost = try Self.reply(Self.entry("A", 1_769_999_030, latitude: 0))
        for _ in 0..<6 { #expect(places.take(lost, about: [Self.anna]).isEmpty) }
        #expect(places.reports.first?.fix?.coordinate.latitude == 50)
        let next = places.take(try Self.reply(Self.entry("A", 1_769_999_060, latitude: 51)), about: [Self.anna])
        #expect(next.first?.report.fix?.coordinate.latitude == 51)
    }

    @Test func `null island is nowhere`() throws {
        let text = #"{"Device":"A","Timestamp":"1763710000","Longitude":0,"Latitude":0,"HorizontalAccuracy":5}"#
        #expect(try Self.reply(text).isEmpty)
    }

    // MARK: The reply

    @Test(arguments: [
        #"{"Device":"A","Timestamp":"1763710000","Longitude":"10.8","Latitude":"49.8","HorizontalAccuracy":"5"}"#,
        #"{"Device":"A","Timestamp":1763710000,"Longitude":10.8,"Latitude":49.8,"HorizontalAccuracy":5.0}"#,
        #"{"Device":"A","Timestamp":1763710000000,"Longitude":10.8,"Latitude":49.8,"HorizontalAccuracy":5,"Slogan":null}"#,
        #"{"Device":"A","Timestamp":"1763710000000","Longitude":10.8,"Latitude":49.8,"HorizontalAccuracy":5,"New":[1]}"#,
    ])
    func `numbers may be texts, and times seconds or milliseconds`(_ json: String) throws {
        let fix = try #require(try Self.reply(json)["A"]).fix
        #expect(fix.time.secondsSince1970 == 1_763_710_000 && fix.horizontalAccuracy == 5)
        #expect(fix.coordinate == Coordinate(latitude: 49.8, longitude: 10.8))
    }

    @Test func `-1 and what is missing is not known`() throws {
        let json =
            #"{"Device":"A","Timestamp":"1763710000","Longitude":10,"Latitude":49,"HorizontalAccuracy":-1,"#
            + #""Speed":-1,"BatteryLevel":"-1","Altitude":-1}"#
        let place = try #require(try Self.reply(json)["A"])
        #expect(place.fix.horizontalAccuracy == nil && place.fix.speed == nil && place.fix.altitude == nil)
        #expect(place.host == nil)
    }

    @Test func `speed, altitude and battery are taken`() throws {
        let json =
            #"{"Device":"A","Timestamp":"1763710000","Longitude":10,"Latitude":49,"HorizontalAccuracy":5,"#
            + #""Speed":1.5,"BatteryLevel":85,"Altitude":230.5}"#
        let place = try #require(try Self.reply(json)["A"])
        #expect(place.fix.speed == 1.5 && place.fix.altitude == 230.5 && place.host?.batteryLevel == 0.85)
    }

    @Test(arguments: [
        "null", "1", #""text""#, "{}", #"{"Device":"A"}"#,
        #"{"Device":"A","Timestamp":"x","Longitude":1,"Latitude":1}"#,
        #"{"Device":"A","Timestamp":0,"Longitude":1,"Latitude":1}"#,
        #"{"Device":"A","Timestamp":1763710000,"Longitude":181,"Latitude":1}"#,
        #"{"Device":"A","Timestamp":1763710000,"Longitude":"nan","Latitude":1}"#,
        #"{"Device":"A","Timestamp":1e300,"Longitude":1,"Latitude":1}"#,
        #"{"Device":"A","Timestamp":1870000000,"Longitude":1,"Latitude":1}"#,
    ])
    func `what is no place, or lies days ahead, is left out and costs no other place`(_ json: String) throws {
        let places = try Self.reply(json + "," + Self.entry("B", 1_763_710_000))
        #expect(Array(places.keys) == ["B"])
    }

    @Test(arguments: ["[]", "{}", #"{"MiataruLocation":1}"#, "null"])
    func `a reply without places is an error`(_ json: String) throws {
        let value = try JSONValue.parse(Array(json.utf8))
        #expect(throws: DeliveryError.self) { try ReportedPosition.all(in: value, now: Self.now) }
    }

    // MARK: What is news

    @Test func `only what has changed is told, and older places are none`() throws {
        var places = FollowedPositions(source: "miataru", places: [])
        let entries = [Self.anna, Self.ben]
        let first = places.take(try Self.reply(Self.entry("A", 100) + ",null"), about: entries)
        #expect(first.map(\.report.device) == ["Anna", "Ben"])
        #expect(first.map { $0.report.fix == nil } == [false, true] && first[0].report.group == "family")
        #expect(places.take(try Self.reply(Self.entry("A", 100) + ",null"), about: entries).isEmpty)
        #expect(places.take(try Self.reply(Self.entry("A", 99)), about: entries).isEmpty)
        #expect(places.take(try Self.reply(Self.entry("A", 101)), about: entries).count == 1)
        let gone = places.take(try Self.reply("null,null"), about: entries)
        #expect(gone.map(\.report.device) == ["Anna"] && gone[0].report.fix == nil)
        #expect(places.reports.count == 2)
        places.keep([Self.ben])
        #expect(places.reports.map(\.device) == ["Ben"])
    }

    @Test func `an arrival is told once, not at the start and not for a place that wavers`() throws {
        var places = FollowedPositions(source: "miataru", places: [Self.home])
        // Degrees of latitude of 111.2 km: 0.0005 are 56 m, 0.00098 are 109 m.
        let latitudes = [49.9, 49.95, 49.9005, 49.90098, 49.9, 49.9015, 49.9]
        let arrivals = try latitudes.enumerated().map { index, latitude in
            try places.take(Self.reply(Self.entry("A", 100 + index, latitude: latitude)), about: [Self.anna])
                .first?.arrival
        }
        #expect(arrivals == [nil, nil, "Home", nil, nil, nil, "Home"])
        #expect(places.reports.first?.place == "Home")
    }
}

@Suite struct MiataruLinkTests {
    @Test(arguments: ["miataru://ABC-1", "MIATARU://ABC-1", "miataru://ABC-1/", "ABC-1"])
    func `a link or an id is an id`(_ text: String) {
        #expect(MiataruLink.id(in: Secret(text)) == Secret("ABC-1"))
    }

    @Test(arguments: ["", "miataru://", "https://host/ABC", "a b", "a:b", "ä", String(repeating: "a", count: 257)])
    func `anything else is none`(_ text: String) { #expect(MiataruLink.id(in: Secret(text)) == nil) }

    @Test func `a link is read as what was written`() {
        #expect(MiataruLink.id(in: MiataruLink.link(to: Secret("ABC"))) == Secret("ABC"))
    }
}
