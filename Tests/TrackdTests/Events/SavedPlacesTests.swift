import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEnginePlaces
import TrackEngineSettings

/// The places that were added, as a value.
@Suite struct SavedPlacesTests {
    private static let now = Timestamp(secondsSince1970: 1_772_359_200)
    private static let later = Timestamp(secondsSince1970: 1_772_359_900)

    private static func feature(_ id: String, radius: Double = 50, name: String? = nil) -> String {
        """
        {"type":"Feature","id":"\(id)","geometry":{"type":"Point","coordinates":[10,53]},\
        "properties":{"name":"\(name ?? id)","radius":\(radius)}}
        """
    }

    @Test func `a place is added once, and changed where its id is there; it stays as old as it is`() throws {
        var kept = SavedPlaces()
        #expect(try kept.keep(Array(Self.feature("home").utf8), beside: [], now: Self.now) == ["home"])
        _ = try kept.keep(Array(Self.feature("home", radius: 80, name: "Home").utf8), beside: [], now: Self.later)
        let place = try #require(kept.places.first)
        #expect(kept.places.count == 1 && place.name == "Home" && place.created == Self.now)
    }

    @Test func `an id of the configuration is refused, and nothing of the change is kept`() throws {
        var kept = SavedPlaces()
        let both = #"{"type":"FeatureCollection","features":[\#(Self.feature("a")),\#(Self.feature("depot"))]}"#
        let refusal = #expect(throws: PlaceRejection.self) {
            try kept.keep(Array(both.utf8), beside: ["depot"], now: Self.now)
        }
        expectMessage(refusal?.description)
        #expect(kept == SavedPlaces())
    }

    @Test(arguments: ["", "{}", "[1]", #"{"type":"FeatureCollection","features":[]}"#])
    func `what holds no place is refused`(_ text: String) {
        var kept = SavedPlaces()
        #expect(throws: PlaceRejection.self) { try kept.keep(Array(text.utf8), beside: [], now: Self.now) }
    }

    @Test func `a change that is too long is refused before it is read`() {
        var kept = SavedPlaces()
        let bytes = [UInt8](repeating: UInt8(ascii: " "), count: SavedPlaces.longestChange + 1)
        #expect(throws: PlaceRejection.self) { try kept.keep(bytes, beside: [], now: Self.now) }
    }

    @Test func `there are not more than ten thousand`() throws {
        let area = try Area.circle(centre: Coordinate(latitude: 53, longitude: 10), radius: 10)
        let places = try (0...SavedPlaces.most).map { try Place(id: "\($0)", name: "p", area: area) }
        var kept = SavedPlaces()
        #expect(throws: PlaceRejection.self) { try kept.keep(places, beside: [], now: Self.now) }
        try kept.keep(Array(places.dropLast()), beside: [], now: Self.now)
        #expect(kept.places.count == SavedPlaces.most)
    }

    @Test func `places that a start could not read again are not written, and those of before stay`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let area = try Area.circle(centre: Coordinate(latitude: 53, longitude: 10), radius: 10)
            let tags = [String](repeating: String(repeating: "\"", count: 64), count: 16)
            let places = try (0..<7_500).map { try Place(id: "\($0)", name: "p", area: area, tags: tags) }
            for key in [nil, StoreKey.random()] {
                #expect(mkdir(folder + "/\(key == nil)", 0o700) == 0)
                let file = SavedPlaceFile(in: folder + "/\(key == nil)", key: key)
                try file.write(SavedPlaces(Array(places[..<3])))
                #expect(throws: PlaceRejection.self) { try file.write(SavedPlaces(places)) }
                #expect(try file.read().places.count == 3)
            }
        }
    }

    @Test func `an unknown id removes nothing, and the nearest one is named`() throws {
        var kept = SavedPlaces()
        _ = try kept.keep(Array(Self.feature("home").utf8), beside: [], now: Self.now)
        let refusal = #expect(throws: PlaceRejection.self) { try kept.remove(["home", "hmoe"]) }
        #expect(refusal?.description.contains("did you mean home?") == true)
        #expect(kept.places.count == 1)
        #expect(try kept.remove([]) == ["home"])
        #expect(kept.places.isEmpty)
    }

    @Test func `where the configuration has a place of an id now, the added one does not hold`() throws {
        var kept = SavedPlaces()
        _ = try kept.keep(Array(Self.feature("home").utf8), beside: [], now: Self.now)
        #expect(kept.beside(["home"]).isEmpty)
        #expect(kept.beside(["depot"]).count == 1)
    }

    @Test func `a request for a place reads as it was written`() throws {
        let place = PlaceAddition(
            "Grandma", id: "g", centre: Coordinate(latitude: -1.5, longitude: 179), radius: 70, dwell: .seconds(90),
            tags: ["family"])
        let line = ControlRequest.addPlace(place).line.dropLast()
        #expect(try ControlRequest(line: Array(line)) == .addPlace(place))
        let request = ControlRequest.removePlaces(["a", "b"])
        #expect(try ControlRequest(line: Array(request.line.dropLast())) == request)
    }
}
