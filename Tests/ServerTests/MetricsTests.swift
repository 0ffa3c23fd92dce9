import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer

@Suite("Metrics", .timeLimit(.minutes(2)))
struct MetricsTests {
    @Test func `Whoever watches over the process may ask with HEAD`() async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.send("HEAD", "/healthz")
            #expect(reply.status == 200 && reply.bytes.isEmpty)
        }
    }

    private static let status =
        #"{"device":"van","sources":[{"id":"gpsd \"1\"","fixes":10,"recorded":3,"odometer":12.5,"rejected":{"stale":2,"too-near":5}}],"sinks":[{"id":"home","queued":4,"oldest":"2026-03-01T10:00:00.500Z","delivered":7,"refused":0,"tried":0}],"store":{"records":7,"bytes":4096,"dropped":1,"deadLetters":0}}"#

    @Test func `The agent's status is told as families with labels, and ends as OpenMetrics ends`() async throws {
        let status: @Sendable () -> [UInt8] = { Array(Self.status.utf8) }
        try await ServerBench.with(status: status) { bench in
            #expect(try await bench.send("GET", "/metrics").status == 401)
            let reply = try await bench.send("GET", "/metrics", ["Authorization": "Bearer \(bench.key)"])
            #expect(reply.head.contains("application/openmetrics-text"))
            let lines = reply.body.split(separator: "\n").map(String.init)
            for line in [
                #"trackengine_fixes_total{source="gpsd \"1\""} 10"#,
                #"trackengine_rejections_total{source="gpsd \"1\"",reason="stale"} 2"#,
                #"trackengine_odometer_meters{source="gpsd \"1\""} 12.5"#,
                #"trackengine_queue_records{sink="home"} 4"#,
                #"trackengine_queue_oldest_timestamp_seconds{sink="home"} 1772359200.5"#,
                #"trackengine_delivered_records_total{sink="home"} 7"#,
                "trackengine_store_bytes 4096", "trackengine_store_dropped_records_total 1", "trackengine_viewers 0",
            ] {
                #expect(lines.contains(line), "\(line)")
            }
            #expect(lines.last == "# EOF")
        }
    }

    @Test func `Each family is described before its numbers, once`() async throws {
        let status: @Sendable () -> [UInt8] = { Array(Self.status.utf8) }
        try await ServerBench.with(status: status) { bench in
            let reply = try await bench.send("GET", "/metrics", ["Authorization": "Bearer \(bench.key)"])
            var described: [String] = []
            for line in reply.body.split(separator: "\n") where line != "# EOF" {
                if line.hasPrefix("# TYPE ") { described.append(String(line.split(separator: " ")[2])) }
                guard !line.hasPrefix("#") else { continue }
                let name = line.prefix { $0 != "{" && $0 != " " }
                let family = name.hasSuffix("_total") ? name.dropLast(6) : name
                #expect(described.last == String(family), "\(line)")
            }
            #expect(Set(described).count == described.count)
        }
    }

    @Test func `Without an agent there are the server's own numbers`() async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.send("GET", "/metrics", ["Authorization": "Bearer \(bench.key)"])
            #expect(reply.body.contains("trackengine_unusable_points_total 0"))
            #expect(!reply.body.contains("trackengine_fixes"))
            #expect(try await bench.send("GET", "/healthz").body == #"{"status":"ok"}"#)
        }
    }
}

@Suite struct BoardTests {
    @Test func `Every metric of the Grafana board is one that the server tells`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let board = try String(
            contentsOf: root.appendingPathComponent("Packaging/grafana/trackengine.json"), encoding: .utf8)
        let source = try String(
            contentsOf: root.appendingPathComponent("Sources/Server/Metrics/AgentMetrics.swift"), encoding: .utf8)
        let names = board.matches(of: /trackengine_[a-z_]+/).map { String($0.output) }
        #expect(names.count > 8)
        for name in Set(names) {
            let family = name.hasSuffix("_total") ? String(name.dropLast(6)) : name
            #expect(source.contains("\"\(family)\""), "\(name)")
        }
    }
}
