import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

@Suite("Drawing on the screen's grid", .timeLimit(.minutes(2)))
struct PixelGridTests {
    /// 2026-03-01T10:00:00Z.
    private static let start = 1_772_359_200
    /// A random walk to and fro, of a point a second.
    private static func walk(_ count: Int) -> [HistoryPoint] {
        var random = SeededGenerator(seed: 7)
        var (latitude, longitude, course) = (53.55, 9.98, 0.0)
        return (0..<count).map { second in
            course += Double.random(in: -0.3...0.3, using: &random)
            latitude += 1e-4 * cos(course)
            longitude += 1e-4 * sin(course)
            let time = Timestamp(secondsSince1970: Int64(start + second))
            return HistoryPoint(fix: Fix(time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude)))
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

    private static func lines(_ reply: RawReply) throws -> [[SIMD2<Double>]] {
        let lines = try #require(try JSONValue.parse(Array(reply.body.utf8))["lines"]?.array)
        return lines.map { line in
            let numbers = (line.array ?? []).compactMap(\.number)
            var place = SIMD2(0.0, 0.0)
            return stride(from: 0, to: numbers.count - 1, by: 2).map { index in
                place += SIMD2(numbers[index], numbers[index + 1])
                return place / 2
            }
        }
    }

    @Test(arguments: [4, 9, 12, 15])
    func `No point is farther than a pixel from what is drawn, and no edge is drawn twice`(_ zoom: Int) async throws {
        try await ServerBench.with { bench in
            let walk = Self.walk(TestEnvironment.isOptimised ? 4_000 : 500)
            _ = try await bench.history.add(walk, of: "van")
            let tolerance = max(1, 156_543.03 * cos(53.9 * .pi / 180) / exp2(Double(zoom)) / 2)
            let reply = try await bench.send(
                "GET",
                "/api/path?device=van&from=\(Self.start)&to=\(Self.start + 4_000)&within=\(tolerance)&zoom=\(zoom)"
                    + "&key=\(bench.key)")
            let lines = try Self.lines(reply)
            let edges = lines.flatMap { zip($0, $0.dropFirst()) }
            let names = edges.map { Set([$0.0, $0.1]) }
            #expect(Set(names).count == names.count)
            let farthest = walk.map { point in
                let place = Self.pixel(point.fix.coordinate, zoom: zoom)
                return edges.map { Self.distance(place, $0.0, $0.1) }.min() ?? .infinity
            }.max()
            #expect(try #require(farthest) <= 1)
        }
    }

    @Test func `The same way again adds nothing to the drawing`() async throws {
        try await ServerBench.with { bench in
            let there = Self.walk(600)
            let again = there.enumerated().map { index, point in
                let time = Timestamp(secondsSince1970: Int64(Self.start + 86_400 + index))
                return HistoryPoint(fix: Fix(time: time, coordinate: point.fix.coordinate))
            }
            _ = try await bench.history.add(there, of: "van")
            func drawing() async throws -> String {
                try await bench.send(
                    "GET",
                    "/api/path?device=van&from=\(Self.start)&to=\(Self.start + 90_000)&within=20&zoom=12&key=\(bench.key)"
                ).body
            }
            let once = try await drawing()
            _ = try await bench.history.add(again, of: "van")
            #expect(try await drawing() == once)
        }
    }

    @Test(arguments: ["21", "-1", "x", "nan"])
    func `A zoom that no screen has is refused with what was expected`(_ zoom: String) async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.send(
                "GET", "/api/path?device=van&from=0&to=1&zoom=\(zoom)&key=\(bench.key)")
            #expect(reply.status == 400 && reply.body.contains("zoom: expected a number from 0.0 to 20.0"))
        }
    }
}
