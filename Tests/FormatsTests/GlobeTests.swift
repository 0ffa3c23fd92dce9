import Testing
import TrackEngine
import TrackEngineFiles

/// Places at the edges of the globe, and beyond them.
@Suite struct GlobeTests {
    @Test(arguments: PointDocument.formats)
    func `places at the poles, the antimeridian and the origin are read as they are`(_ format: TrackFormat) {
        let places = [
            ("90", "0"), ("-90", "180"), ("0", "180"), ("0", "-180"), ("0", "0"), ("-0.000000001", "0.000000001"),
            ("89.999999999", "-179.999999999"), ("51.4778", "-0.0015"),
        ]
        let chunk = read(
            PointDocument.text(format, places.map { Point(latitude: $0.0, longitude: $0.1) }), as: format)
        #expect(chunk.problems.isEmpty)
        #expect(chunk.fixes.map { $0.coordinate.latitude } == places.map { Double($0.0) })
        #expect(chunk.fixes.map { $0.coordinate.longitude } == places.map { Double($0.1) })
        #expect(chunk.fixes.allSatisfy { $0.coordinate.isValid })
    }

    @Test(arguments: PointDocument.formats)
    func `a track over the antimeridian keeps the sign of each longitude`(_ format: TrackFormat) {
        let longitudes = ["179.9998", "179.9999", "180", "-180", "-179.9999", "-179.9998", "179.9999"]
        let chunk = read(PointDocument.text(format, longitudes.map { Point(longitude: $0) }), as: format)
        #expect(chunk.fixes.map { $0.coordinate.longitude } == longitudes.map { Double($0) })
        let steps = zip(chunk.fixes, chunk.fixes.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
        #expect(steps.allSatisfy { $0 < 40 }, "\(steps)")
    }

    @Test(
        arguments: PointDocument.formats,
        [("90.000001", "0"), ("-91", "0"), ("0", "180.000001"), ("0", "-540"), ("1e300", "1e300"), ("4530", "1200")])
    func `a place beyond the globe is never brought onto it`(_ format: TrackFormat, _ place: (String, String)) {
        let points = [Point(), Point(latitude: place.0, longitude: place.1), Point(latitude: "3")]
        let chunk = read(PointDocument.text(format, points), as: format)
        #expect(chunk.fixes.filter { $0.coordinate.isValid }.map { $0.coordinate.latitude } == [1, 3])
        for fix in chunk.fixes where !fix.coordinate.isValid {
            #expect(fix.coordinate == Coordinate(latitude: Double(place.0) ?? 0, longitude: Double(place.1) ?? 0))
        }
        #expect(chunk.fixes.count + chunk.problems.count == 3)
    }

    @Test(
        arguments: PointDocument.formats,
        ["", "north", "1,5", "0x10", "1e999", "--1", "1,2,3,4", "NaN", "inf", "48°07'02\"", "1..2", "1e", "e5", "."])
    func `what is no number is no place, and the next point is read`(_ format: TrackFormat, _ text: String) {
        // A comma parts columns, and a quote ends a string or an attribute.
        let isSyntax = text.contains(",") && format != .gpx || text.contains("\"") && format != .csv
        let points = [Point(), Point(longitude: isSyntax ? "x" : text), Point(latitude: "3")]
        let chunk = read(PointDocument.text(format, points), as: format)
        #expect(chunk.latitudes == [1, 3])
        #expect(chunk.problems.count == 1)
        #expect(chunk.problems.first?.line == (PointDocument.frame(of: format).head.isEmpty ? 2 : 3))
    }

    @Test(arguments: [TrackFormat.gpx, .csv, .kml])
    func `a number may have a sign, an exponent, and no digit on one side of its point`(_ format: TrackFormat) {
        let numbers = ["+12", "-.5", ".5", "5.", "1e1", "1.5E+1", "15e-1", "00012", "0.000000000000000000001"]
        let chunk = read(PointDocument.text(format, numbers.map { Point(longitude: $0) }), as: format)
        #expect(chunk.problems.isEmpty)
        #expect(chunk.fixes.map { $0.coordinate.longitude } == [12, -0.5, 0.5, 5, 10, 15, 1.5, 12, 1e-21])
    }

    @Test(arguments: PointDocument.formats)
    func `a number of hundreds of digits is read exactly or reported`(_ format: TrackFormat) {
        let digits = String(repeating: "3", count: 300)
        let points = [Point(longitude: "0." + digits), Point(longitude: "0." + digits + digits)]
        let chunk = read(PointDocument.text(format, points), as: format)
        #expect(chunk.fixes.map { $0.coordinate.longitude } == [1.0 / 3])
        #expect(chunk.problems.count == 1)
    }
}
