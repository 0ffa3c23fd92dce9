import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

@Suite("What a screen shows of a history", .timeLimit(.minutes(30)))
struct DrawingTests {
    private static let always = Samples.seconds(-1_000_000..<100_000_000)

    /// A random walk to and fro, from so many seconds after the samples' start on.
    private static func walk(
        _ count: Int, every step: Int = 1, from begin: Int = 0, seed: UInt64 = 7
    ) -> [HistoryPoint] {
        var random = SeededGenerator(seed: seed)
        var (north, east, course) = (0.0, 0.0, 0.0)
        return (0..<count).map { index in
            course += Double.random(in: -0.3...0.3, using: &random)
            (north, east) = (north + 11 * Double(step) * cos(course), east + 7 * Double(step) * sin(course))
            return Samples.point(Double(begin + index * step), north: north, east: east)
        }
    }

    /// Walks over four months, some of which go on over the end of a kept drawing.
    private static func walks(_ number: Int, _ length: Int, every step: Int = 1) -> [HistoryPoint] {
        // Eleven days of 2^10 quarters of an hour: the first end behind the samples' start, and others.
        let span = 900 << 10
        let end = span - Int(Samples.start.secondsSince1970) % span
        return (0..<number).flatMap { index in
            walk(length, every: step, from: end + index * span / 2 - length * step / 2, seed: UInt64(index + 5))
        }
    }

    /// Where a place is on the screen, in pixels (the formula of OpenStreetMap's wiki, "Slippy map tilenames").
    private static func pixel(_ place: Coordinate, zoom: Int) -> SIMD2<Double> {
        let latitude = place.latitude * .pi / 180
        let size = 256 * exp2(Double(zoom))
        return SIMD2(
            (place.longitude + 180) / 360 * size, (1 - asinh(tan(latitude)) / .pi) / 2 * size)
    }

    private static func distance(_ place: SIMD2<Double>, _ from: SIMD2<Double>, _ to: SIMD2<Double>) -> Double {
        let (way, rest) = (to - from, place - from)
        let part = (way * way).sum() > 0 ? min(max((way * rest).sum() / (way * way).sum(), 0), 1) : 0
        let off = rest - way * part
        return (off * off).sum().squareRoot()
    }

    /// The edges in pixels.
    private static func edges(_ drawing: MapDrawing) -> [(SIMD2<Double>, SIMD2<Double>)] {
        drawing.lines.flatMap { line in
            let places = line.map { SIMD2(Double($0.x), Double($0.y)) / 2 }
            return zip(places, places.dropFirst()).map { ($0, $1) }
        }
    }

    /// The edges, each as its two cells in either order.
    private static func names(_ drawing: MapDrawing) -> [Set<MapDrawing.Cell>] {
        drawing.lines.flatMap { line in zip(line, line.dropFirst()).map { Set([$0, $1]) } }
    }

    private func check(_ points: [HistoryPoint], zoom: Int, during times: Range<Timestamp> = always) async throws {
        var checked: MapDrawing?
        try await Samples.withHistory { history in
            _ = try await history.add(points, of: Samples.device)
            let drawing = try await history.drawing(of: Samples.device, during: times, zoom: zoom)
            if let checked {
                #expect(drawing == checked)
                return
            }
            checked = drawing
            let names = Self.names(drawing)
            #expect(drawing.zoom == zoom && Set(names).count == names.count)
            let inside = points.filter { times.contains($0.fix.time) }
            #expect(!inside.isEmpty)
            let far = Self.first(of: inside, fartherThan: 1, from: Self.edges(drawing), zoom: zoom)
            #expect(far == nil)
        }
    }

    /// The first point that is farther from all edges than so many pixels. The search begins at the edge that was near the
    /// point before.
    private static func first(
        of points: [HistoryPoint], fartherThan most: Double, from edges: [(SIMD2<Double>, SIMD2<Double>)], zoom: Int
    ) -> HistoryPoint? {
        var last = 0
        return points.first { point in
            let place = pixel(point.fix.coordinate, zoom: zoom)
            let near = (0..<edges.count).lazy.map { (last + $0) % edges.count }
                .first { distance(place, edges[$0].0, edges[$0].1) <= most }
            last = near ?? last
            return near == nil
        }
    }

    @Test(arguments: [4, 9, 12, 13, 15, 18])
    func `No point is farther than a pixel from what is drawn, and no edge is drawn twice`(_ zoom: Int) async throws {
        try await check(
            Self.walk(TestEnvironment.isOptimised ? 4_000 : 400), zoom: zoom, during: Samples.seconds(0..<4_000))
    }

    @Test(arguments: [3, 6, 9, 12, 14])
    func `A long leg is bent as the map bends it`(_ zoom: Int) async throws {
        let flight = (0..<480).map { minute in
            let coordinate = Coordinate(latitude: 10 + Double(minute) / 8, longitude: 20 + Double(minute) / 8)
            return HistoryPoint(
                fix: Fix(time: Samples.start.advanced(by: .seconds(minute * 60)), coordinate: coordinate))
        }
        try await check(flight, zoom: zoom)
    }

    @Test(arguments: [0, 7, 12])
    func `The same holds of months, which are put together of kept drawings`(_ zoom: Int) async throws {
        let points = Self.walks(20, TestEnvironment.isOptimised ? 200 : 40)
        try await check(points, zoom: zoom)
        let begin = points[points.count / 3].fix.time
        try await check(points, zoom: zoom, during: begin..<begin.advanced(by: .seconds(5_000_000)))
    }

    @Test func `A drawing is the same whether its points came before or after earlier ones were asked for`()
        async throws
    {
        var random = SeededGenerator(seed: 3)
        let points = Self.walks(12, 30, every: 120)
        try await Samples.withHistory { history in
            func drawing() async throws -> Set<Set<MapDrawing.Cell>> {
                let drawing = try await history.drawing(of: Samples.device, during: Self.always, zoom: 12)
                return Set(Self.names(drawing))
            }
            let halves = points.enumerated().filter { $0.offset % 60 != 15 }.map(\.element)
            for point in halves.shuffled(using: &random) {
                _ = try await history.add([point], of: Samples.device)
                if Int.random(in: 0..<8, using: &random) == 0 { _ = try await drawing() }
            }
            _ = try await drawing()
            // The points with which a walk goes on behind the end of a kept drawing.
            _ = try await history.add(stride(from: 15, to: points.count, by: 60).map { points[$0] }, of: Samples.device)
            let kept = try await drawing()
            try await Samples.withHistory { other in
                _ = try await other.add(points, of: Samples.device)
                let fresh = try await other.drawing(of: Samples.device, during: Self.always, zoom: 12)
                #expect(kept == Set(Self.names(fresh)) && !kept.isEmpty)
            }
            // Without every second walk.
            let times = points.map(\.fix.time)
            for index in stride(from: 0, to: 12, by: 2) {
                let gone = times[index * 30]..<times[index * 30 + 29].advanced(by: .seconds(1))
                #expect(try await history.remove(Samples.device, during: gone) == 30)
            }
            let left = try await drawing()
            try await Samples.withHistory { other in
                let others = points.indices.filter { $0 / 30 % 2 == 1 }.map { points[$0] }
                _ = try await other.add(others, of: Samples.device)
                let fresh = try await other.drawing(of: Samples.device, during: Self.always, zoom: 12)
                #expect(left == Set(Self.names(fresh)) && !left.isEmpty)
            }
        }
    }

    @Test func `A device shows nothing of one that was removed before it came`() async throws {
        try await Samples.withHistory { history in
            _ = try await history.add(Self.walks(4, 20), of: "old")
            _ = try await history.drawing(of: "old", during: Self.always, zoom: 5)
            _ = try await history.remove("old", during: Self.always)
            let point = Samples.point(0, north: 500_000)
            _ = try await history.add([point], of: "new")
            let drawing = try await history.drawing(of: "new", during: Self.always, zoom: 5)
            #expect(drawing.lines.count == 1)
        }
    }

    @Test func `The same way again adds nothing to the drawing`() async throws {
        try await Samples.withHistory { history in
            let there = Self.walk(600)
            let again = there.map { point in
                HistoryPoint(
                    fix: Fix(time: point.fix.time.advanced(by: .seconds(86_400)), coordinate: point.fix.coordinate))
            }
            _ = try await history.add(there, of: Samples.device)
            let once = try await history.drawing(of: Samples.device, during: Samples.seconds(0..<90_000), zoom: 12)
            _ = try await history.add(again, of: Samples.device)
            #expect(
                try await history.drawing(of: Samples.device, during: Samples.seconds(0..<90_000), zoom: 12) == once)
        }
    }

    @Test func `A kept drawing that cannot be read is made anew`() async throws {
        let points = Self.walks(6, 20)
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/history"
            var drawn: MapDrawing?
            for contents in ["contents", "x'01'", "x'01ffffffffff01'", "x'010101'", "zeroblob(3)"] {
                let history = try await TrackHistory.open(directory: path)
                _ = try await history.add(points, of: Samples.device)
                let drawing = try await history.drawing(of: Samples.device, during: Self.always, zoom: 9)
                #expect(drawn == nil || drawn == drawing)
                drawn = drawing
                await history.close()
                try Databases.change(path + "/history.sqlite", "UPDATE drawing SET contents = \(contents)")
            }
        }
    }

    @Test func `A history of the first version is taken over, and its sums tell the climb`() async throws {
        let points = (0..<100).map { Samples.point(Double($0), altitude: Double($0)) }
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/history"
            func climb() async throws -> Double? {
                let history = try await TrackHistory.open(directory: path)
                _ = try await history.add(points, of: Samples.device)
                let summary = try await history.summary(of: Samples.device, during: Self.always)
                let drawing = try await history.drawing(of: Samples.device, during: Self.always, zoom: 9)
                #expect(!drawing.lines.isEmpty)
                await history.close()
                return summary?.climb
            }
            #expect(try await climb() == 94)
            try Databases.change(
                path + "/history.sqlite",
                "DROP TABLE drawing; DROP TABLE event; UPDATE chunk SET contents = x'01'; PRAGMA user_version = 1")
            #expect(try await climb() == 94)
        }
    }
}
