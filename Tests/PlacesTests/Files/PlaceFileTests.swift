import TestSupport
import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct PlaceFileTests {
    static func read(_ text: String) -> PlaceFile { PlaceFile(Array(text.utf8)) }

    static func position(_ longitude: Double, _ latitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    // MARK: GeoJSON

    @Test func `GeoJSON gives circles, polygons with holes, several polygons and corridors`() throws {
        let file = Self.read(
            """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","id":"h1","geometry":{"type":"Point","coordinates":[8.5,50.25,120]},
             "properties":{"name":"Home","radius":100,"dwell":300,"hysteresis":5,"tags":["a","b"],"created":"2026-01-02T03:04:05Z"}},
            {"type":"Feature","properties":{"id":"yard"},"geometry":{"type":"Polygon","coordinates":
             [[[8,50],[8.4,50],[8.4,50.4],[8,50.4],[8,50]],[[8.1,50.1],[8.1,50.2],[8.2,50.2],[8.1,50.1]]]}},
            {"type":"Feature","properties":{"name":"Islands","tags":"x, y"},"geometry":{"type":"MultiPolygon","coordinates":
             [[[[179.9,-17],[180.1,-17],[180,-16.9]]],[[[179,-17],[179.1,-17],[179,-16.9]]]]}},
            {"type":"Feature","id":7,"properties":{"width":"40"},"geometry":{"type":"LineString","coordinates":[[8,50],[8.1,50]]}}
            ]}
            """)
        #expect(file.problems == [])
        let home = try Place(
            id: "h1", name: "Home", area: .circle(centre: Self.position(8.5, 50.25), radius: 100), dwell: .seconds(300),
            hysteresis: 5, tags: ["a", "b"], created: Timestamp(secondsSince1970: 1_767_323_045))
        let yard = try Place(
            id: "yard", name: "yard",
            area: .polygon(
                [(8.0, 50.0), (8.4, 50), (8.4, 50.4), (8, 50.4)].map(Self.position),
                holes: [[(8.1, 50.1), (8.1, 50.2), (8.2, 50.2)].map(Self.position)]))
        let corridor = try Place(
            id: "7", name: "7", area: .corridor(along: [Self.position(8, 50), Self.position(8.1, 50)], width: 40))
        #expect(file.places[0] == home && file.places[1] == yard && file.places[3] == corridor)
        let islands = file.places[2]
        #expect(islands.id == "Islands" && islands.tags == ["x", "y"])
        #expect(
            islands.area.contains(Self.position(-179.999, -16.95))
                && islands.area.contains(Self.position(179.01, -16.98)))
    }

    @Test func `what is no place is a problem with its line, and the others are read`() {
        let file = Self.read(
            """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[8,50]},"properties":{}},
            {"type":"Feature","id":"b","geometry":{"type":"Point","coordinates":[8,50]},"properties":{"radius":0}},
            {"type":"Feature","id":"c","geometry":{"type":"Point","coordinates":[8,50]},"properties":{"radius":50}},
            {"type":"Feature","id":"c","geometry":{"type":"Point","coordinates":[8,50]},"properties":{"radius":50}},
            {"type":"Feature","id":"d","geometry":{"type":"Point","coordinates":[8,91]},"properties":{"radius":50}},
            {"type":"Feature","geometry":{"type":"Point","coordinates":[8,50]},"properties":{"radius":50,"dwell":1e300}},
            {"type":"Feature","id":"e","geometry":{"type":"MultiPoint","coordinates":[]},"properties":null},
            {"type":"Feature","id":"f","geometry":{"type":"Polygon","coordinates":[[[8,50],[9,50]]]}},
            5
            ]}
            """)
        #expect(file.places.map(\.id) == ["c"])
        expectMessages(
            file.problems.map(\.description),
            begin: [
                "line 2, feature 1: radius", "line 3, feature 2: radius", "line 5, feature 4: id",
                "line 6, feature 5: geometry", "line 7, feature 6: id", "line 8, feature 7: geometry",
                "line 9, feature 8: ring", "line 10, feature 9",
            ])
    }

    @Test func `a document that is cut is read up to there`() {
        let file = Self.read(
            """
            [{"type":"Feature","id":"c","geometry":{"type":"Point","coordinates":[8,50]},"properties":{"radius":50}},
            {"type":"Feature","id":
            """)
        #expect(file.places.map(\.id) == ["c"])
        expectMessages(file.problems.map(\.description), begin: ["line 2"])
    }

    @Test(arguments: ["", "   ", "hello", "\u{0}"])
    func `a file of something else is told`(_ text: String) {
        let problems = Self.read(text).problems.map(\.description)
        expectMessages(problems, begin: ["line 1"])
    }

    @Test func `places written as GeoJSON are read again`() throws {
        let ring = [(8.0, 50.0), (8.4, 50), (8.4, 50.4), (8, 50.4)].map(Self.position)
        let hole = [(8.1, 50.1), (8.1, 50.2), (8.2, 50.2)].map(Self.position)
        let other = [(9.0, 50.0), (9.4, 50), (9.4, 50.4)].map(Self.position)
        let places = [
            try Place(
                id: "a \"b\"", name: "Straße",
                area: .circle(centre: Self.position(-0.000_000_001, 50.123_456_789), radius: 12.5),
                dwell: .milliseconds(90_500), hysteresis: 0, tags: ["x", "y,z"], created: Timestamp(secondsSince1970: 5)
            ),
            try Place(id: "p", name: "p", area: .polygon(ring, holes: [hole])),
            try Place(
                id: "m", name: "m",
                area: Area(.polygons([Area.Polygon(outer: ring, holes: [hole]), Area.Polygon(outer: other)]))),
            try Place(id: "c", name: "c", area: .corridor(along: ring, width: 30)),
        ]
        let file = PlaceFile(PlaceFile.geoJSON(places))
        #expect(file.problems == [] && file.places == places)
        #expect(PlaceFile(PlaceFile.geoJSON([])).places == [] && PlaceFile(PlaceFile.geoJSON([])).problems == [])
    }

    // MARK: KML

    @Test func `KML gives points, lines and polygons with what ExtendedData says`() throws {
        let file = Self.read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>All</name>
            <Placemark id="h1"><name>Home &amp; garden</name><ExtendedData><Data name="radius"><displayName>r</displayName><value> 100 </value></Data>
              <Data name="tags"><value>a,b</value></Data></ExtendedData><Point><coordinates>8.5,50.25,0</coordinates></Point></Placemark>
            <Placemark><name>Road</name><ExtendedData><SchemaData><SimpleData name="width">40</SimpleData>
              <SimpleData name="dwell">60</SimpleData></SchemaData></ExtendedData>
              <LineString><coordinates>
                8,50 8.1,50,3
              </coordinates></LineString></Placemark>
            <Placemark><name>Yard</name><Polygon>
              <outerBoundaryIs><LinearRing><coordinates>8,50 8.4,50 8.4,50.4 8,50.4 8,50</coordinates></LinearRing></outerBoundaryIs>
              <innerBoundaryIs><LinearRing><coordinates>8.1,50.1 8.1,50.2 8.2,50.2 8.1,50.1</coordinates></LinearRing></innerBoundaryIs>
            </Polygon></Placemark>
            </Document></kml>
            """)
        #expect(file.problems == [])
        let expected = [
            try Place(
                id: "h1", name: "Home & garden", area: .circle(centre: Self.position(8.5, 50.25), radius: 100),
                tags: ["a", "b"]),
            try Place(
                id: "Road", name: "Road",
                area: .corridor(along: [Self.position(8, 50), Self.position(8.1, 50)], width: 40), dwell: .seconds(60)),
            try Place(
                id: "Yard", name: "Yard",
                area: .polygon(
                    [(8.0, 50.0), (8.4, 50), (8.4, 50.4), (8, 50.4)].map(Self.position),
                    holes: [[(8.1, 50.1), (8.1, 50.2), (8.2, 50.2)].map(Self.position)])),
        ]
        #expect(file.places == expected)
    }

    @Test func `polygons of a MultiGeometry are one place`() {
        let ring =
            "<Polygon><outerBoundaryIs><LinearRing><coordinates>%</coordinates></LinearRing></outerBoundaryIs></Polygon>"
        let rings = ["8,50 8.1,50 8.1,50.1", "9,50 9.1,50 9.1,50.1"].map { text in
            ring.split(separator: "%").joined(separator: text)
        }
        let file = Self.read(
            "<kml><Placemark><name>Both</name><MultiGeometry>\(rings.joined())</MultiGeometry></Placemark></kml>")
        #expect(file.problems == [] && file.places.count == 1)
        #expect(
            file.places.allSatisfy { place in
                [8.09, 9.09].allSatisfy { place.area.contains(Self.position($0, 50.05)) }
            })
    }

    @Test func `what is no place in KML is a problem with its line`() {
        let file = Self.read(
            """
            <kml>
            <Placemark><name>a</name><Point><coordinates>8,50</coordinates></Point></Placemark>
            <Placemark><name>b</name></Placemark>
            <Placemark><name>c</name><Point><coordinates>8;50</coordinates></Point></Placemark>
            <Placemark><name>d</name><Point><coordinates>8,50</coordinates>
            """)
        #expect(file.places == [])
        expectMessages(
            file.problems.map(\.description),
            begin: [
                "line 2, Placemark 1: radius", "line 3, Placemark 2: geometry", "line 4, Placemark 3: coordinates",
                "line 5, Placemark 4",
            ])
    }

    @Test func `a placemark in which KML is no XML is dropped, for its vertices may be lost`() {
        let file = Self.read(
            """
            <kml>
            <Placemark><name>a</name><Polygon><outerBoundaryIs><LinearRing><coordinates>8,50 & 8,51 9,51 9,50</coordinates>
            </LinearRing></outerBoundaryIs></Polygon></Placemark>
            </kml>
            """)
        #expect(file.places == [])
        expectMessages(file.problems.map(\.description), begin: ["line 2, Placemark 1"])
    }

    // MARK: OwnTracks

    @Test func `OwnTracks gives waypoints, one or many, in a configuration or a command`() throws {
        let waypoint =
            #"{"_type":"waypoint","desc":"Home","lat":50.25,"lon":8.5,"rad":100,"tst":1700000000,"rid":"a1b2"}"#
        let old = #"{"_type":"waypoint","desc":"Old","lat":50.25,"lon":8.5,"rad":100,"tst":1700000001}"#
        let home = try Place(
            id: "a1b2", name: "Home", area: .circle(centre: Self.position(8.5, 50.25), radius: 100),
            created: Timestamp(secondsSince1970: 1_700_000_000))
        for text in [
            waypoint, "[\(waypoint)]", #"{"_type":"waypoints","waypoints":[\#(waypoint)]}"#,
            #"{"waypoints":[\#(waypoint)],"_type":"configuration","mode":3}"#,
            #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[\#(waypoint)]}}"#,
        ] {
            let file = Self.read(text)
            #expect(file.problems == [] && file.places == [home], "\(text)")
        }
        #expect(Self.read(old).places.map(\.id) == ["1700000001"])
        let beacon = Self.read(#"{"_type":"waypoint","desc":"Beacon","tst":1700000000,"uuid":"x"}"#)
        expectMessages(beacon.problems.map(\.description), begin: ["line 1: rad"])
    }

    @Test func `places written as waypoints are read again, others than circles as the circles about them`() throws {
        let circle = try Place(
            id: "a", name: "A", area: .circle(centre: Self.position(8.5, 50.25), radius: 100),
            created: Timestamp(secondsSince1970: 1_700_000_000))
        let square = try Place(id: "b", name: "B", area: .polygon(Earth.square(at: Walk.origin, side: 200)))
        let file = PlaceFile(PlaceFile.ownTracksWaypoints([circle, square]))
        #expect(file.problems == [] && file.places.count == 2 && file.places[0] == circle)
        // Half of the diagonal, 141.4 m, rounded up.
        #expect(file.places[1].area.radius == 142 && file.places[1].created == nil)
    }

    @Test func `a byte order mark tells UTF-8 and UTF-16`() {
        let text = #"{"_type":"waypoint","desc":"Café","lat":50.25,"lon":8.5,"rad":100,"rid":"a"}"#
        let wide: [UInt8] =
            [0xfe, 0xff] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xff)] }
        for bytes in [[0xef, 0xbb, 0xbf] + Array(text.utf8), wide] {
            let file = PlaceFile(bytes)
            #expect(file.places.map(\.name) == ["Café"] && file.problems == [])
        }
    }

    // MARK: Bounds

    @Test func `no bytes crash the reader`() throws {
        var random = SeededGenerator(seed: 8)
        let places = [
            try Place(
                id: "a", name: "A", area: .circle(centre: Walk.origin, radius: 100), dwell: .seconds(5), tags: ["x"]),
            try Place(id: "b", name: "B", area: .polygon(Earth.square(at: Walk.origin, side: 200))),
        ]
        let kml = """
            <kml><Placemark id="x"><name>A</name><ExtendedData><Data name="width"><value>5</value></Data></ExtendedData>
            <LineString><coordinates>8,50 9,51</coordinates></LineString></Placemark></kml>
            """
        for seed in [PlaceFile.geoJSON(places), PlaceFile.ownTracksWaypoints(places), Array(kml.utf8)] {
            for _ in 0..<3000 {
                var bytes = seed
                for _ in 0..<Int.random(in: 1...4, using: &random) { Mutation.apply(to: &bytes, using: &random) }
                let file = PlaceFile(bytes)
                #expect(file.places.count <= 4)
            }
        }
    }

    @Test func `problems and nesting are bounded`() {
        let many = Self.read("[" + Array(repeating: "{}", count: 1000).joined(separator: ",") + "]")
        #expect(many.problems.count == 100)
        let deep = Self.read(String(repeating: "[", count: 100_000))
        expectMessages(deep.problems.map(\.description), begin: ["line 1"])
    }
}
