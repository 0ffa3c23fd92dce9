import Foundation
import Measure
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import WireSuites

/// What a server takes and shows, over HTTP on this machine.
enum ServerSuite {
    private static let batch = 200
    private static let connections = 4
    private static let always =
        Timestamp(nanosecondsSince1970: .min)..<Timestamp(nanosecondsSince1970: .max)

    static func rows() async throws -> [Row] {
        try await withTemporaryFolder { folder in
            let taken = try await withServer(in: folder + "/taken") { try await ingest(500, $0) }
            let python = try PythonReceiver(in: folder).map { receiver in
                defer { receiver.stop() }
                return (
                    name: "Python's http.server and sqlite3, a commit a batch",
                    nanoseconds: try ingest(40, to: receiver.port, token: "", device: { "d\($0)" })
                )
            }
            var rows = [
                Row(
                    "Server", "Overland batches of \(batch), \(connections) connections, each fsynced; a place", taken,
                    target: .perSecond(50_000)),
                Row("Server", "the same", taken, beside: python),
            ]
            rows += try await withServer(in: folder + "/shown", showing)
            return rows
        }
    }

    // MARK: Receiving

    /// Nanoseconds a place, of `batches` on each connection.
    private static func ingest(_ batches: Int, _ bench: Bench) async throws -> Double {
        let tokens = try (0..<connections).map { try bench.access.add(DeviceID(rawValue: "d\($0)")).secret.revealed }
        let time = try ingest(batches, to: bench.port, token: tokens, device: { "d\($0)" })
        for index in 0..<connections {
            let count = try await bench.history.points(
                of: DeviceID(rawValue: "d\(index)"), during: always, limit: .max
            ).count
            precondition(count == batches * batch, "\(count) places are there")
        }
        return time
    }

    private static func ingest(
        _ batches: Int, to port: Int, token: String, device: (Int) -> String
    ) throws -> Double {
        try ingest(batches, to: port, token: Array(repeating: token, count: connections), device: device)
    }

    private static func ingest(
        _ batches: Int, to port: Int, token: [String], device: (Int) -> String
    ) throws -> Double {
        let requests = (0..<connections).map { index in
            (0..<batches).map { Self.request($0, of: device(index), token: token[index]) }
        }
        let clients = try (0..<connections).map { _ in try BlockingClient(port: port) }
        let begin = ContinuousClock.now
        let ends = DispatchGroup()
        for (client, requests) in zip(clients, requests) {
            ends.enter()
            Thread.detachNewThread {
                for request in requests { precondition(client.ask(request).status == 200, "a batch is refused") }
                ends.leave()
            }
        }
        ends.wait()
        return (ContinuousClock.now - begin).nanoseconds / Double(batches * batch * connections)
    }

    private static func request(_ number: Int, of device: String, token: String) -> [UInt8] {
        let features = (0..<batch).map { index in
            let second = number * batch + index
            let time = Timestamp(secondsSince1970: 1_767_225_600 + Int64(second)).rfc3339(.seconds)
            return """
                {"type":"Feature","geometry":{"type":"Point","coordinates":[\(9.98 + Double(second % 7_000) * 1e-5),53.55]},\
                "properties":{"timestamp":"\(time)","altitude":12,"speed":11.2,"course":90,"horizontal_accuracy":5,\
                "vertical_accuracy":4,"motion":["driving"],"battery_level":0.8,"battery_state":"charging",\
                "device_id":"\(device)","wifi":""}}
                """
        }
        let body = Array(#"{"locations":[\#(features.joined(separator: ","))]}"#.utf8)
        let head =
            "POST /dump HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    // MARK: Showing

    private static func showing(_ bench: Bench) async throws -> [Row] {
        let end = Drive.end
        for start in stride(from: 0, to: Drive.count, by: 50_000) {
            _ = try await bench.history.add(Drive.points(from: start, count: 50_000), of: "van")
        }
        // A day of one point a second, as the issue's peers are asked for.
        _ = try await bench.history.add(Drive.day(endingAt: end + 172_800), of: "van")
        let client = try BlockingClient(port: bench.port)
        let key = bench.access.readingKey.secret.revealed
        func ask(_ from: Int, _ to: Int, within: Double, zoom: Int?, rounds: Int) -> (nanoseconds: Double, bytes: Int) {
            let grid = zoom.map { "&zoom=\($0)" } ?? ""
            let request =
                "GET /api/path?device=van&from=\(from)&to=\(to)&within=\(within)\(grid)&key=\(key) HTTP/1.1\r\n"
                + "Host: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n"
            var best = (nanoseconds: Double.infinity, bytes: 0)
            for _ in 0..<rounds {
                let begin = ContinuousClock.now
                let reply = client.ask(Array(request.utf8))
                precondition(reply.status == 200, "a path is refused")
                best = (min(best.nanoseconds, (ContinuousClock.now - begin).nanoseconds), reply.bytes)
            }
            return best
        }
        // Levels of detail are made when they are first asked for.
        let years = (Drive.start, end)
        _ = ask(years.0, years.1, within: Drive.pixel(zoom: 8) / 2, zoom: 8, rounds: 1)
        let day = ask(end + 86_400, end + 172_800, within: Drive.pixel(zoom: 9) / 2, zoom: nil, rounds: 15)
        let all = ask(years.0, years.1, within: Drive.pixel(zoom: 8) / 2, zoom: 8, rounds: 7)
        return [
            Row(
                "Server",
                "a day of 86,400 points of 10 M, at zoom 9, nowhere more than half a pixel off: \(day.bytes / 1024) kB compressed (to reach: ≤ 60)",
                day.nanoseconds, target: .nanoseconds(20e6)),
            Row(
                "Server",
                "five years, 10 M points, at zoom 8, nowhere more than a pixel off: \(all.bytes / 1024) kB compressed (to reach: ≤ 150)",
                all.nanoseconds, target: .nanoseconds(100e6)),
        ]
    }

    // MARK: The server

    struct Bench: Sendable {
        let port: Int
        let history: TrackHistory
        let access: AccessFile
    }

    private static func withServer<Result: Sendable>(
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
private enum Drive {
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

extension Duration {
    /// The whole of it in nanoseconds.
    fileprivate var nanoseconds: Double { self / .nanoseconds(1) }
}
