import Testing
import TrackEngine

@Suite struct BearingTests {
    private let here = Coordinate(latitude: 49.9, longitude: 10.9)

    @Test(arguments: [(50.0, 10.9, 0.0), (49.8, 10.9, 180.0), (49.9, 11.0, 89.96), (49.9, 10.8, 270.04)])
    func `the four quarters lie where they should`(_ latitude: Double, _ longitude: Double, _ bearing: Double) {
        #expect(abs(here.bearing(to: Coordinate(latitude: latitude, longitude: longitude)) - bearing) < 0.01)
    }

    @Test func `across the antimeridian the short way counts`() {
        let west = Coordinate(latitude: 0, longitude: 179.9)
        #expect(abs(west.bearing(to: Coordinate(latitude: 0, longitude: -179.9)) - 90) < 1e-9)
    }

    // Aviation Formulary, worked example: Los Angeles to New York.
    @Test func `the worked example of the formula's source has its 66 degrees`() {
        let losAngeles = Coordinate(latitude: 33 + 57.0 / 60, longitude: -(118 + 24.0 / 60))
        let newYork = Coordinate(latitude: 40 + 38.0 / 60, longitude: -(73 + 47.0 / 60))
        #expect(abs(losAngeles.bearing(to: newYork) - 65.8922) < 0.001)
    }

    @Test func `there is no direction to where one is`() { #expect(here.bearing(to: here).isNaN) }
}
