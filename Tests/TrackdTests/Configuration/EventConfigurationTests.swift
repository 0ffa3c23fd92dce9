import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

/// The section `events`.
@Suite struct EventConfigurationTests {
    @Test func `places of every shape read back as they were`() throws {
        let configuration = try Given.configuration(
            """
            events:
              visits: true
              trips: true
              stopAfter: 120
              heartbeat: 900
              places:
                - {id: home-1, name: Home, latitude: 53.5, longitude: 10, radius: 80, dwell: 600, privacy: blur}
                - {name: Yard, polygon: ["53.5, 10", "53.6, 10", "53.6, 10.1"], hysteresis: 5}
                - {name: Road, line: ["53.5, 10", "53.6, 10"], width: 40}
            """)
        #expect(configuration.events.places.map(\.name) == ["Home", "Yard", "Road"])
        #expect(configuration.events.places.first?.privacy == .blur)
        #expect(configuration.events.detected.stays.stopAfter == .seconds(120))
        #expect(try Given.configuration(configuration.effectiveYAML) == configuration)
    }

    @Test(arguments: [
        ("{name: A, latitude: 53.5}", "latitude"), ("{latitude: 1, longitude: 1}", "name"),
        ("{name: A}", "latitude and longitude, or polygon, or line"),
        ("{name: A, latitude: 91, longitude: 0}", "-90 to 90"),
        ("{name: A, latitude: 1, longitude: 1, polygon: [\"1, 1\"]}", "or polygon, or line"),
        ("{name: A, polygon: [\"1, 1\", \"2, 2\"]}", "places.A.polygon"),
        ("{name: A, polygon: [\"1, 1\", \"2, 2\", \"1, 2\", \"2, 1\"]}", "after corner 1 and corner 3 cross: expected"),
        ("{name: A, latitude: 1, longitude: 1, dwell: 0}", "dwell"),
        ("{name: A, latitude: 1, longitude: 1, privacy: hide}", "cut"),
    ])
    func `what is wrong with a place is told with its key`(_ place: String, _ expectation: String) throws {
        let problem = #expect(throws: AgentConfigurationError.self) {
            try Given.configuration("events: {places: [\(place)]}")
        }
        let text = "\(try #require(problem))"
        #expect(text.contains("events.places") && text.contains(expectation), "\(text)")
    }

    @Test(arguments: [("1", "181"), ("91", "181"), ("91", "null"), ("north", "1")])
    func `a number that was refused is not missing, too`(_ latitude: String, _ longitude: String) {
        let problems = Given.problems("events: {places: [{name: A, latitude: \(latitude), longitude: \(longitude)}]}")
        let wrong = [latitude == "1" ? nil : "latitude", ["1", "null"].contains(longitude) ? nil : "longitude"]
        #expect(problems.count == wrong.compactMap(\.self).count, "\(problems)")
        #expect(problems.allSatisfy { !$0.contains("(missing)") }, "\(problems)")
    }

    @Test func `two places of one id are refused`() throws {
        let place = "{name: A, latitude: 1, longitude: 1}"
        let problem = #expect(throws: AgentConfigurationError.self) {
            try Given.configuration("events: {places: [\(place), \(place)]}")
        }
        let text = "\(try #require(problem))"
        #expect(text.contains("events.places.A.id = A: "))
        expectMessage(text)
    }

    @Test func `all wrong places are told at once, and one without a name once`() throws {
        let problem = #expect(throws: AgentConfigurationError.self) {
            try Given.configuration("events: {places: [{name: A}, {name: B}, {latitude: 1, longitude: 1}]}")
        }
        let text = "\(try #require(problem))"
        #expect(text.contains("events.places.A") && text.contains("events.places.B"))
        #expect(!text.contains("events.places.."), "\(text)")
    }

    @Test(arguments: ["cut", "blur"])
    func `a place that is hidden has no events, which would tell where it is`(_ privacy: String) throws {
        let configuration = try Given.configuration(
            "events: {places: [{name: A, latitude: 1, longitude: 1, privacy: \(privacy)}]}")
        #expect(try configuration.events.makeDetector(of: "d") == nil)
        #expect(try configuration.events.privacyZones != nil)
    }

    @Test func `places come from files, and what is wrong in one is told with its line`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/places.geojson"
            func write(_ radius: String) throws {
                let text =
                    #"{"type": "Feature", "properties": {"name": "Depot", "radius": \#(radius)},"#
                    + "\n" + #""geometry": {"type": "Point", "coordinates": [10, 53.5]}}"#
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            }
            try write("100")
            let events = try Given.configuration("events: {placeFiles: [\(path)]}").events
            #expect(try events.makeDetector(of: "d") != nil)
            try write("-1")
            let problem = #expect(throws: ConfigurationError.self) { try events.makeDetector(of: "d") }
            let text = "\(try #require(problem))"
            #expect(text.contains("placeFiles = \(path):1: radius = -1.0: "))
            expectMessage(text, as: "a radius below zero", replacing: [path: "FILE"])
            try Data().write(to: URL(fileURLWithPath: path))
            let empty = #expect(throws: ConfigurationError.self) { try events.makeDetector(of: "d") }
            expectMessage("\(try #require(empty))", as: "an empty file of places", replacing: [path: "FILE"])
            let missing = try Given.configuration("events: {placeFiles: [\(folder)/none]}").events
            #expect(throws: ConfigurationError.self) { try missing.makeDetector(of: "d") }
        }
    }
}
