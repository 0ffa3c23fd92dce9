import Foundation
import Measure
import TrackEngine
import WireSuites

/// Batches of an app that sends in Overland's format, on several connections at a time.
struct OverlandTraffic: Sendable {
    /// Places of a batch.
    static let batch = 200
    static let connections = 4
    /// Batches of each connection.
    let batches: Int
    /// When the first place was. Each run has its own times: a receiver may pass over what it knows.
    let start = 1_000_000_000 + Int64.random(in: 0..<3_000) * 250_000

    struct Outcome {
        /// Of a place that was confirmed.
        let nanoseconds: Double
        let refusedBatches: Int
    }

    /// Sends all, each batch when the one before is answered.
    func send(to port: Int, _ path: String = "/dump", tokens: [String] = []) async throws -> Outcome {
        let requests = (0..<Self.connections).map { connection in
            (0..<batches).map { number in
                request(
                    path, first: (connection * batches + number) * Self.batch, of: Self.device(connection),
                    token: tokens.isEmpty ? "" : tokens[connection])
            }
        }
        return try await blocking {
            let clients = try (0..<Self.connections).map { _ in try BlockingClient(port: port) }
            let refused = Tally()
            let begin = nanoseconds()
            let ends = DispatchGroup()
            for (client, requests) in zip(clients, requests) {
                ends.enter()
                Thread.detachNewThread {
                    refused.add(requests.count { client.ask($0).status != 200 })
                    ends.leave()
                }
            }
            ends.wait()
            let confirmed = (batches * Self.connections - refused.value) * Self.batch
            return Outcome(
                nanoseconds: Double(nanoseconds() - begin) / Double(confirmed), refusedBatches: refused.value)
        }
    }

    static func device(_ connection: Int) -> String { "d\(connection)" }

    private func request(_ path: String, first: Int, of device: String, token: String) -> [UInt8] {
        let features = (first..<first + Self.batch).map { number in
            Self.feature(
                at: Timestamp(secondsSince1970: start + Int64(number)), longitude: 9.98 + Double(number % 7_000) * 1e-5,
                of: device)
        }
        return Self.request(features, to: path, token: token)
    }

    /// A place as Overland sends it.
    static func feature(at time: Timestamp, longitude: Double, of device: String) -> String {
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[\(longitude),53.55]},\
        "properties":{"timestamp":"\(time.rfc3339(.seconds))","altitude":12,"speed":11.2,"course":90,"horizontal_accuracy":5,\
        "vertical_accuracy":4,"motion":["driving"],"battery_level":0.8,"battery_state":"charging",\
        "device_id":"\(device)","wifi":""}}
        """
    }

    /// The request that carries places.
    static func request(_ features: [String], to path: String = "/dump", token: String) -> [UInt8] {
        let body = Array(#"{"locations":[\#(features.joined(separator: ","))]}"#.utf8)
        let head =
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }
}

extension ServerSuite {
    /// Ours and other receivers, in turns.
    static func receiving() async throws -> [Row] { try await withTemporaryFolder(receiving) }

    private static func receiving(in folder: String) async throws -> [Row] {
        let python = try PythonReceiver(in: folder)
        defer { python?.stop() }
        let peers =
            (python.map { [PeerReceiver(name: "Python's http.server and sqlite3, a commit a batch", port: $0.port)] }
                ?? []) + PeerReceiver.all
        var ours: [Double] = []
        var theirs = [[Double]](repeating: [], count: peers.count)
        var refused = [Int](repeating: 0, count: peers.count)
        for round in 0..<rounds {
            ours.append(try await withServer(in: folder + "/taken-\(round)") { try await ingest(250, $0) })
            for (index, peer) in peers.enumerated() {
                let outcome = try await OverlandTraffic(batches: peerBatches).send(to: peer.port, peer.path)
                theirs[index].append(outcome.nanoseconds)
                refused[index] += outcome.refusedBatches
            }
        }
        let rates = ours.sorted().map { (1e9 / $0).short }
        let subject =
            "Overland batches of \(OverlandTraffic.batch), \(OverlandTraffic.connections) connections, each fsynced; a place"
        return [
            Row(
                "Server", "\(subject) (\(rounds) runs: \(rates.last ?? "") to \(rates.first ?? "") a second)",
                ours.median, target: .perSecond(50_000))
        ]
            + peers.indices.map { index in
                let attempts = rounds * peerBatches * OverlandTraffic.connections
                let remark = refused[index] == 0 ? "" : ", which refuses \(refused[index]) of \(attempts) batches"
                return Row(
                    "Server", "the same", ours.median,
                    beside: (name: peers[index].name + remark, nanoseconds: theirs[index].median),
                    target: peers[index].port == python?.port ? .none : .faster(20))
            }
    }

    private static var rounds: Int { 3 }
    /// They are slow.
    private static var peerBatches: Int { 30 }

    /// Nanoseconds a place, of `batches` on each connection.
    static func ingest(_ batches: Int, _ bench: Bench) async throws -> Double {
        let traffic = OverlandTraffic(batches: batches)
        let devices = (0..<OverlandTraffic.connections).map { DeviceID(rawValue: OverlandTraffic.device($0)) }
        let tokens = try devices.map { try bench.token(of: $0) }
        let before = try await bench.count(of: devices)
        let outcome = try await traffic.send(to: bench.port, tokens: tokens)
        precondition(outcome.refusedBatches == 0, "a batch is refused")
        let kept = try await bench.count(of: devices) - before
        precondition(kept == batches * OverlandTraffic.batch * devices.count, "\(kept) places are kept")
        return outcome.nanoseconds
    }
}

extension [Double] {
    /// The one in the middle.
    var median: Double { sorted()[count / 2] }
}

/// A number that threads add to.
private final class Tally: @unchecked Sendable {
    private let lock = NSLock()
    private var sum = 0  // only under the lock

    func add(_ number: Int) { lock.withLock { sum += number } }
    var value: Int { lock.withLock { sum } }
}
