import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct PlaceTests {
    @Test func `all that is wrong with a place is told at once`() throws {
        let area = try Area.circle(centre: Walk.origin, radius: 100)
        #expect(
            throws: ConfigurationError(problems: [
                ConfigurationProblem(
                    key: "id", value: "0 bytes", expectation: "1 to 64 bytes without control characters"),
                ConfigurationProblem(
                    key: "name", value: "3 bytes", expectation: "1 to 256 bytes without control characters"),
                ConfigurationProblem(key: "dwell", value: "0.5 s", expectation: "1 to 2592000 seconds"),
                ConfigurationProblem(key: "hysteresis", value: "-1.0", expectation: "0.0 to 10000.0 metres"),
                ConfigurationProblem(key: "tags", value: "17 tags", expectation: "at most 16"),
            ])
        ) {
            try Place(
                id: "", name: "a\nb", area: area, dwell: .milliseconds(500), hysteresis: -1,
                tags: Array(repeating: "t", count: 17))
        }
    }

    @Test func `areas with the same numbers are equal, and a place is referred to by id and name`() throws {
        let radii = [100.0, 101, 100]
        let areas = try radii.map { try Area.circle(centre: Walk.origin, radius: $0) }
        #expect(areas[0] != areas[1] && areas[0] == areas[2])
        #expect(try Place(id: "a", name: "A", area: areas[0]).reference == PlaceName(id: "a", name: "A"))
    }
}
