import Testing
import TrackEngine

@Suite struct EarthVectorTests {
    /// Points of the ellipsoid: its axes are 6,378,137 and 6,356,752.314 m long.
    private static let points: [(Coordinate, EarthVector)] = [
        (Coordinate(latitude: 0, longitude: 0), EarthVector(x: 6_378_137, y: 0, z: 0)),
        (Coordinate(latitude: 0, longitude: 90), EarthVector(x: 0, y: 6_378_137, z: 0)),
        (Coordinate(latitude: 90, longitude: 0), EarthVector(x: 0, y: 0, z: 6_356_752.314)),
        (Coordinate(latitude: -90, longitude: 0), EarthVector(x: 0, y: 0, z: -6_356_752.314)),
    ]

    @Test(arguments: points)
    func `A position and its point of the ellipsoid lead to each other`(_ position: Coordinate, _ point: EarthVector) {
        #expect((EarthVector(position) - point).squaredLength < 1e-6)
        #expect(point.coordinate.distance(to: position) < 0.001)
    }

    @Test func `An arc and its chord lead to each other, and half the Earth is the longest`() {
        let chord = EarthVector.chord(arc: 100_000)
        #expect(abs(chord - 99_998.97) < 0.01)  // 2R·sin(a / 2R) with R = 6,371,008.7714
        #expect(abs(EarthVector.arc(squaredChord: chord * chord) - 100_000) < 1e-6)
        #expect(abs(EarthVector.arc(squaredChord: 1e16) - .pi * 6_371_008.771_4) < 1e-3)
    }

    @Test(arguments: [(0.0, 0), (180, 180), (-180, -180), (181, -179), (-181, 179), (359, -1)])
    func `An angle has the same direction on its shorter way`(_ angle: Double, _ shorter: Double) {
        #expect(angle.onShorterWay == shorter)
    }

    @Test func `The line between two positions crosses the antimeridian on the shorter way`() {
        let (west, east) = (Coordinate(latitude: 1, longitude: 179), Coordinate(latitude: 3, longitude: -179))
        #expect(west.between(east, 0.25) == Coordinate(latitude: 1.5, longitude: 179.5))
        #expect(west.between(east, 0.75) == Coordinate(latitude: 2.5, longitude: -179.5))
        #expect(east.between(west, 1) == west)
    }
}
