import Testing
import TrackEngine
import TrackEngineAgent
import TrackEnginePlaces
import TrackEngineSettings

@Suite struct WaypointCodecTests {
    private static let message = Array(
        #"""
        {"_type":"waypoints","waypoints":[
          {"_type":"waypoint","desc":"Depot \"Nord\"","lat":53.5,"lon":10.25,"rad":150,"tst":1772359200,"rid":"depot"},
          {"_type":"waypoint","desc":"Home","lat":-33.5,"lon":-151,"rad":80.5,"tst":1772359201}]}
        """#.utf8)

    @Test func `waypoints become features that are read as the same places`() throws {
        let (json, count) = try WaypointCodec.geoJSON(of: Self.message)
        let file = PlaceFile(json)
        #expect(count == 2 && file.problems.isEmpty)
        #expect(file.places == PlaceFile(Self.message).places)
        #expect(file.places.map(\.id) == ["depot", "1772359201"])
    }

    @Test func `one waypoint by itself is one place`() throws {
        let one = #"{"_type":"waypoint","desc":"Depot","lat":53.5,"lon":10.25,"rad":150,"rid":"depot"}"#
        let (json, count) = try WaypointCodec.geoJSON(of: Array(one.utf8))
        #expect(count == 1 && PlaceFile(json).places.map(\.id) == ["depot"])
    }

    @Test(arguments: [
        "", "{}", #"{"_type":"waypoints","waypoints":[]}"#,
        #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"x","lat":1,"lon":2,"rad":100,"tst":1},{"desc":"y"}]}"#,
    ])
    func `of waypoints that cannot all be read none is kept, and the refusal holds no position`(_ text: String) {
        #expect(throws: RemoteRejection.self) { try WaypointCodec.geoJSON(of: Array(text.utf8)) }
    }

    @Test func `places become waypoints, areas the circle about them, and hidden places nothing`() throws {
        let places = Array(
            #"""
            {"type":"FeatureCollection","features":[
              {"type":"Feature","id":"home","geometry":{"type":"Point","coordinates":[10,53.5]},"properties":{"name":"Home","radius":80,"kept":true}},
              {"type":"Feature","id":"zone","geometry":{"type":"Point","coordinates":[11,53.5]},"properties":{"name":"Zone","radius":80}},
              {"type":"Feature","id":"yard","geometry":{"type":"Polygon","coordinates":[[[10,53],[10.01,53],[10.01,53.01],[10,53.01],[10,53]]]},"properties":{"name":"Yard"}}]}
            """#.utf8)
        let message = try WaypointCodec.waypoints(of: places, except: ["zone"])
        let read = PlaceFile(message).places
        #expect(read.map(\.id) == ["home", "yard"])
        #expect(read[0].area.radius == 80)
        #expect((640...1400).contains(read[1].area.radius))
        #expect(!String(decoding: message, as: UTF8.self).contains("Zone"))
    }

    @Test func `more than a message takes is refused`() {
        let features = (0..<1000).map {
            #"{"type":"Feature","id":"p\#($0)","geometry":{"type":"Point","coordinates":[10,53.5]},"properties":{"name":"P","radius":80}}"#
        }
        let places = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
        #expect(throws: RemoteRejection.self) { try WaypointCodec.waypoints(of: Array(places.utf8), except: []) }
    }
}
