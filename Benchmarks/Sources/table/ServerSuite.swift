import Foundation
import Measure
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import WireSuites

/// What a server takes and shows, over HTTP on this machine.
enum ServerSuite {
    // MARK: Showing

    static func showing() async throws -> [Row] {
        try await withTemporaryFolder { try await withServer(in: $0, showing) }
    }

    private static func showing(_ bench: Bench) async throws -> [Row] {
        let end = Drive.end
        for start in stride(from: 0, to: Drive.count, by: 50_000) {
            _ = try await bench.history.add(Drive.points(from: start, count: 50_000), of: "van")
        }
        // A day of one point a second, as the peers are asked for.
        _ = try await bench.history.add(Drive.day(endingAt: end + 172_800), of: "van")
        let years = Question(from: Drive.start, to: end, within: Drive.pixel(zoom: 8) / 2, zoom: 8)
        let day = Question(from: end + 86_400, to: end + 172_800, within: Drive.pixel(zoom: 9) / 2, zoom: nil)
        // What is kept for the next time is made when it is asked for first.
        let first = try await ask(years, bench, rounds: 1)
        let dayAnswer = try await ask(day, bench, rounds: 15)
        let yearsAnswer = try await ask(years, bench, rounds: 15)
        let offset = try await farthest(from: bench.history.drawing(of: "van", during: years.times, zoom: 8))
        return [
            Row(
                "Server",
                "a day of 86,400 points of 10 M, at zoom 9, nowhere more than half a pixel off: \(dayAnswer.bytes / 1024) kB compressed (to reach: ≤ 60)",
                dayAnswer.nanoseconds, target: .nanoseconds(20e6)),
            Row(
                "Server",
                "five years, 10 M points, at zoom 8, each looked at and none more than \(offset.short) pixels off (to reach: 1): \(yearsAnswer.bytes / 1024) kB compressed (to reach: ≤ 150)",
                yearsAnswer.nanoseconds, target: .nanoseconds(100e6)),
            Row("Server", "the same when it is asked for at this zoom for the first time", first.nanoseconds),
        ]
    }

    /// What a page asks for.
    private struct Question: Sendable {
        let from: Int
        let to: Int
        let within: Double
        let zoom: Int?

        var times: Range<Timestamp> {
            Timestamp(secondsSince1970: Int64(from))..<Timestamp(secondsSince1970: Int64(to))
        }
    }

    private static func ask(
        _ question: Question, _ bench: Bench, rounds: Int
    ) async throws -> (nanoseconds: Double, bytes: Int) {
        let grid = question.zoom.map { "&zoom=\($0)" } ?? ""
        let request =
            "GET /api/path?device=van&from=\(question.from)&to=\(question.to)&within=\(question.within)\(grid)"
            + "&key=\(bench.key) HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n"
        return try await blocking { [port = bench.port] in
            let client = try BlockingClient(port: port)
            var best = (nanoseconds: Double.infinity, bytes: 0)
            for _ in 0..<rounds {
                let begin = nanoseconds()
                let reply = client.ask(Array(request.utf8))
                precondition(reply.status == 200, "a path is refused")
                best = (min(best.nanoseconds, Double(nanoseconds() - begin)), reply.body.count)
            }
            return best
        }
    }

    /// How many pixels the farthest of all points is off the drawing.
    private static func farthest(from drawing: MapDrawing) -> Double {
        let edges = DrawnEdges(drawing)
        var farthest = 0.0
        for start in stride(from: 0, to: Drive.count, by: 50_000) {
            for point in Drive.points(from: start, count: 50_000) {
                farthest = max(farthest, edges.distance(to: point.fix.coordinate))
            }
        }
        return farthest
    }

    // MARK: The server

    struct Bench: Sendable {
        let port: Int
        let history: TrackHistory
        let access: AccessFile

        /// The key for reading.
        var key: String { access.readingKey.secret.revealed }

        /// A new token of a device, for sending.
        func token(of device: DeviceID) throws -> String {
            _ = try access.remove(device)
            return try access.add(device).secret.revealed
        }

        /// How many places of some devices there are.
        func count(of devices: [DeviceID]) async throws -> Int {
            let always = Timestamp(nanosecondsSince1970: .min)..<Timestamp(nanosecondsSince1970: .max)
            var count = 0
            for device in devices { count += try await history.points(of: device, during: always, limit: .max).count }
            return count
        }
    }

    /// Runs a server in this process while `body` runs.
    static func withServer<Result: Sendable>(
        in folder: String, _ body: @Sendable (Bench) async throws -> Result
    ) async throws -> Result {
        let history = try await TrackHistory.open(directory: folder)
        let access = try AccessFile(path: folder + "/access.json")
        var configuration = ServerConfiguration()
        configuration.port = 0
        let server = TrackServer(configuration, history: history, access: access)
        let (ports, listening) = AsyncStream<Int>.makeStream()
        let running = Task { try await server.run { listening.yield($0?.port ?? 0) } }
        var iterator = ports.makeAsyncIterator()
        let port = await iterator.next() ?? 0
        let result = try await body(Bench(port: port, history: history, access: access))
        running.cancel()
        _ = await running.result
        await history.close()
        return result
    }
}

/// Five years of a van that drives a tour a day, one of sixty, with a receiver that is some metres off.
enum Drive {
    /// 2021-01-01T00:00:00Z.
    static let start = 1_609_459_200
    static let count = 10_000_000
    /// Points of a day, and seconds between two: seven and a half hours.
    private static let pointsOfDay = 5_480
    private static let interval = 5
    /// Behind the last point.
    static let end = start + (count / pointsOfDay + 1) * 86_400

    /// The width of a pixel in metres, at 51° N.
    static func pixel(zoom: Int) -> Double { 156_543.03 * cos(51 * Double.pi / 180) / exp2(Double(zoom)) }

    static func points(from first: Int, count: Int) -> [HistoryPoint] {
        (first..<first + count).map { index in
            let (day, step) = index.quotientAndRemainder(dividingBy: pointsOfDay)
            let part = Double(step) / Double(pointsOfDay)
            return point(of: day % 60, part, noise: index, at: start + day * 86_400 + 25_200 + step * interval)
        }
    }

    /// A day of one point a second.
    static func day(endingAt end: Int) -> [HistoryPoint] {
        (0..<86_400).map { point(of: 7, Double($0) / 86_400, noise: $0, at: end - 86_400 + $0) }
    }

    /// A place on a tour of 240 km: out to its region and back, through towns and lanes.
    private static func point(of tour: Int, _ part: Double, noise: Int, at time: Int) -> HistoryPoint {
        let (direction, metres) = (Double(tour) * 2.399, part * 240_000)
        let out = 90_000 * sin(part * .pi)
        var aside = 0.0
        for (amplitude, length) in [(9_000.0, 130_000.0), (900, 12_000), (60, 900), (10, 240)] {
            aside += amplitude * sin(part * .pi) * sin(2 * .pi * metres / length + direction)
        }
        let north = out * cos(direction) - aside * sin(direction)
        let east = out * sin(direction) + aside * cos(direction)
        // Two metres to and fro, the same in each run.
        let mixed = UInt64(truncatingIfNeeded: noise) &* 0x9E37_79B9_7F4A_7C15
        let (eastward, northward) = (Double(mixed >> 40 & 1023) / 256 - 2, Double(mixed >> 50 & 1023) / 256 - 2)
        return HistoryPoint(
            fix: Fix(
                time: Timestamp(secondsSince1970: Int64(time)),
                coordinate: Coordinate(
                    latitude: 51 + (north + northward) / 111_200, longitude: 10 + (east + eastward) / 70_000),
                horizontalAccuracy: 5, speed: 9 + 4 * sin(metres / 700)))
    }
}
