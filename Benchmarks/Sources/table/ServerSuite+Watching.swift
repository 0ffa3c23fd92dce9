import Foundation
import Measure
import TrackEngine
import TrackEngineServer
import WireSuites

extension ServerSuite {
    /// From a place that is handed in to the event at each viewer, and what viewers cost those who send.
    static func watching() async throws -> [Row] { try await withTemporaryFolder(watching) }

    private static func watching(in folder: String) async throws -> [Row] {
        var rows: [Row] = []
        var confirmed: [Int: Double] = [:]
        for viewers in [0, 100, 1_000] {
            let (delays, confirmations) = try await withServer(in: folder + "/posted-\(viewers)") {
                try await posted($0, viewers: viewers)
            }
            confirmed[viewers] = confirmations.median
            guard viewers > 0 else { continue }
            rows.append(delays.row("from a place that is posted to the event at \(viewers.formatted()) viewers"))
        }
        if let watched = confirmed[1_000], let alone = confirmed[0] {
            rows.append(
                Row(
                    "Server", "a place that is posted and confirmed, 20 a second, while 1,000 watch", watched,
                    beside: (name: "the same while nobody watches", nanoseconds: alone)))
        }
        for viewers in [100, 1_000] {
            guard let delay = try await recorded(viewers: viewers, in: folder + "/recorded-\(viewers)") else {
                continue
            }
            rows.append(delay.row("from gpsd's fix through trackd to the event at \(viewers.formatted()) viewers"))
        }
        return rows + [try await ingestWatched(in: folder)]
    }

    // MARK: From fix to viewer

    /// How many places are sent.
    private static let places = 200

    /// Some hundred events at each viewer.
    private struct Delays {
        /// In order.
        let all: [Double]

        /// The longitudes that were sent, and when.
        init(sent: [Int: UInt64], _ arrivals: [Viewers.Arrival]) {
            all = arrivals.compactMap { arrival in
                sent[arrival.longitude].map { Double(arrival.nanoseconds) - Double($0) }
            }.sorted()
        }

        private func percentile(_ part: Double) -> Double { all[Int(part * Double(all.count - 1))] }

        func row(_ subject: String) -> Row {
            let (middle, most) = ((percentile(0.5) / 1e6).short, (percentile(1) / 1e6).short)
            return Row(
                "Server",
                "\(subject), 99th percentile of \(all.count.formatted()) (median \(middle) ms, at most \(most) ms)",
                percentile(0.99), target: .nanoseconds(300e6))
        }
    }

    /// Delays to the viewers, and what each confirmation took.
    private static func posted(
        _ bench: Bench, viewers count: Int
    ) async throws -> (delays: Delays, confirmations: [Double]) {
        let token = try bench.token(of: "phone")
        let port = bench.port
        let viewers = try await blocking { [key = bench.key] in
            count == 0 ? nil : try Viewers(port: port, key: key, reading: count)
        }
        let begin = Int64(Date().timeIntervalSince1970) - 1_000
        let (sent, confirmations) = try await blocking {
            let client = try BlockingClient(port: port)
            var confirmations: [Double] = []
            let sent = try send(every: .milliseconds(50)) { number, longitude in
                let feature = OverlandTraffic.feature(
                    at: Timestamp(secondsSince1970: begin + Int64(number)), longitude: longitude, of: "phone")
                let begin = nanoseconds()
                let reply = client.ask(OverlandTraffic.request([feature], token: token))
                confirmations.append(Double(nanoseconds() - begin))
                precondition(reply.status == 200, "a place is refused")
            }
            return (sent, confirmations)
        }
        guard let viewers else { return (Delays(sent: [:], []), confirmations) }
        return (try await delays(of: sent, at: viewers, count), confirmations)
    }

    private static func recorded(viewers count: Int, in folder: String) async throws -> Delays? {
        let feed = try GPSDFeed()
        let port = 20_000 + Int.random(in: 0..<20_000)
        let configuration = AgentProcess.configuration(
            in: folder, source: "{type: gpsd, host: 127.0.0.1, port: \(feed.port)}", serverPort: port)
        guard let agent = try AgentProcess(configuration, in: folder) else { return nil }
        defer { agent.stop() }
        let key = try await readingKey(in: folder)
        let viewers = try await blocking {
            feed.awaitAgent()
            return try Viewers(port: port, key: key, reading: count)
        }
        let sent = try await blocking { try send(every: .milliseconds(200)) { feed.sendFix(longitude: $1) } }
        return try await delays(of: sent, at: viewers, count)
    }

    /// The key of a server that another process runs; waits until it listens.
    static func readingKey(in folder: String) async throws -> String {
        let file = folder + "/server/access.json"
        while !FileManager.default.fileExists(atPath: file) { try await Task.sleep(for: .milliseconds(100)) }
        try await Task.sleep(for: .seconds(2))  // it listens long before
        return try AccessFile(path: file).readingKey.secret.revealed
    }

    /// Sends places, each a metre east of the one before; returns when each was sent, by millionths of a degree.
    private static func send(
        every pause: Duration, _ place: (_ number: Int, _ longitude: Double) throws -> Void
    ) throws -> [Int: UInt64] {
        var sent: [Int: UInt64] = [:]
        for number in 0..<places {
            let millionths = 10_000_000 + number * 10
            sent[millionths] = nanoseconds()
            try place(number, Double(millionths) / 1e6)
            Thread.sleep(forTimeInterval: pause / .seconds(1))
        }
        return sent
    }

    private static func delays(of sent: [Int: UInt64], at viewers: Viewers, _ count: Int) async throws -> Delays {
        try await Task.sleep(for: .seconds(2))  // the last ones are on their way
        let seen = try await blocking { try viewers.leave() }
        let delays = Delays(sent: sent, seen.arrivals)
        precondition(delays.all.count == places * count, "\(delays.all.count) of \(places * count) events came")
        return delays
    }

    // MARK: Sending while many watch

    /// As fast as senders go, with and without viewers, in turns.
    private static func ingestWatched(in folder: String) async throws -> Row {
        var (alone, watched, events) = ([Double](), [Double](), 0)
        for round in 0..<3 {
            alone.append(try await withServer(in: folder + "/alone-\(round)") { try await ingest(75, $0) })
            let (time, seen) = try await withServer(in: folder + "/watched-\(round)") { bench in
                let viewers = try await blocking { [port = bench.port, key = bench.key] in
                    try Viewers(port: port, key: key, reading: 900, silent: 100)
                }
                let time = try await ingest(75, bench)
                return (time, try await blocking { try viewers.leave().events })
            }
            watched.append(time)
            events += seen
        }
        return Row(
            "Server",
            "Overland batches while 1,000 watch, 100 of whom never read, and take \(events / 3) events; a place",
            watched.median, beside: (name: "the same without viewers", nanoseconds: alone.median))
    }
}
