import Testing
import TrackEngine

struct DistanceCase: Sendable, CustomTestStringConvertible {
    let from: Coordinate
    let to: Coordinate
    let metres: Double

    init(_ row: (Double, Double, Double, Double, Double)) {
        from = Coordinate(latitude: row.0, longitude: row.1)
        to = Coordinate(latitude: row.2, longitude: row.3)
        metres = row.4
    }

    var testDescription: String { "\(from.latitude),\(from.longitude) to \(to.latitude),\(to.longitude)" }
}

/// Expected distances come from GeographicLib's geodesic (C. F. F. Karney, "Algorithms for geodesics", 2013), in metres.
@Suite struct CoordinateDistanceTests {
    static let near: [DistanceCase] = [
        (52.52, 13.405, 52.52, 13.405, 0.0000),
        (52.52, 13.405, 52.5200898, 13.405, 9.9927),
        (0, 0.001, 0, -0.001, 222.6390),
        (0, 179.9999, 0, -179.9999, 22.2639),
        (-17.5, 179.97, -17.52, -179.98, 5752.5893),
        (90, 0, 89.99, 123, 1116.9398),
        (89.999, 10, 89.999, -170, 223.3880),
        (-90, 0, -89.95, 45, 5584.6990),
        (60, 5, 60.05, 5.1, 7881.7121),
        (0, 0, 0.0899, 0, 9940.6275),
        (0, 0, 0, 0.0898, 9996.4903),
        (45, 7, 45.06, 7.06, 8174.2672),
        (-33.9, 18.4, -33.95, 18.45, 7220.3560),
        (70, 25, 70.0001, 25.0003, 15.9906),
        (80, -60, 80.02, -59.6, 8065.0482),
        (-31.6748689, -125.6942974, -31.6748715, -125.6943017, 0.4994),
        (57.7651177, -146.1131849, 57.7261547, -146.1548935, 5000.0000),
        (80.4514562, 47.0253297, 80.4514523, 47.0253162, 0.5022),
        (10.1883486, -132.0570661, 10.1488534, -132.0348701, 5000.0006),
        (-68.7209556, -68.9465433, -68.7209375, -68.9466562, 5.0001),
    ].map(DistanceCase.init)

    static let far: [DistanceCase] = [
        (52.52, 13.405, 48.8566, 2.3522, 879699.3161),
        (0, 0, 0, 90, 10018754.1714),
        (0, 0, 90, 0, 10001965.7293),
        (-90, 0, 90, 0, 20003931.4586),
        (0, 0, 0, 179, 19926188.8520),
        (0, 0, 0, 180, 20003931.4586),
        (0, 0, 0.5, 179.7, 19944127.4208),
        (30, 0, -30, 179.8, 20000239.4377),
        (51.5, -0.1, -33.9, 151.2, 16990083.8801),
        (0, 0, 0.2, 0, 22114.8561),
        (60, 0, 60, 180, 6695785.8196),
        (10, 170, -10, -170, 3130218.1984),
        (0, 0, 1, 178, 19780597.9750),
        (-0.64539, 11.41929, 49.90118, -12.38333, 6043998.5835),
        (76.21945, -49.83035, -45.28321, -115.28397, 14245514.6314),
        (50.36933, -150.5322, -35.95516, -1.75811, 17047148.9163),
        (-28.17438, -18.41969, 19.61262, -153.64769, 15399413.7377),
        (-14.0943, 166.32687, -76.02831, 20.90727, 9738886.1996),
        (52.03695, 114.6072, -28.77797, -53.93578, 17254105.7150),
        (-41.41093, 70.93514, -78.3, 83.21736, 4146107.6986),
    ].map(DistanceCase.init)

    @Test(arguments: near)
    func `up to 10 km within 0.01 % + 1 mm of the geodesic`(_ row: DistanceCase) {
        #expect(abs(row.from.distance(to: row.to) - row.metres) <= row.metres * 1e-4 + 0.001)
        #expect(abs(row.to.distance(to: row.from) - row.metres) <= row.metres * 1e-4 + 0.001)
    }

    @Test(arguments: far)
    func `beyond 10 km within 0.5 % of the geodesic`(_ row: DistanceCase) {
        #expect(abs(row.from.distance(to: row.to) - row.metres) <= row.metres * 0.005)
        #expect(abs(row.to.distance(to: row.from) - row.metres) <= row.metres * 0.005)
    }

    @Test
    func `where the short formula gives way to the long one, the distance does not jump`() {
        let origin = Coordinate(latitude: 52, longitude: 13)
        var last = 0.0
        for step in 0..<2000 {
            let distance = origin.distance(to: Coordinate(latitude: 52 + 0.17 + Double(step) * 1e-5, longitude: 13))
            if step > 0 { #expect(abs(distance - last - 1.113) < 1.0) }
            last = distance
        }
    }

    @Test
    func `only finite coordinates in range are valid`() {
        #expect(Coordinate(latitude: 90, longitude: -180).isValid)
        #expect(Coordinate(latitude: -90, longitude: 180).isValid)
        #expect(!Coordinate(latitude: 90.000_000_1, longitude: 0).isValid)
        #expect(!Coordinate(latitude: 0, longitude: 180.1).isValid)
        #expect(!Coordinate(latitude: .nan, longitude: 0).isValid)
        #expect(!Coordinate(latitude: 0, longitude: .infinity).isValid)
    }
}
