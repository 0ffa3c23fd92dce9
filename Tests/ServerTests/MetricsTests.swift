import CoreMetrics
import Foundation
import MetricsTestKit
import TestSupport
import Testing
import TrackEngine
import TrackEngineIntegrations
import TrackEngineServer
import TrackEngineTestKit

@Suite("Metrics", .timeLimit(.minutes(30)))
struct MetricsTests {
    @Test func `Whoever watches over the process may ask with HEAD`() async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.send("HEAD", "/healthz")
            #expect(reply.status == 200 && reply.bytes.isEmpty)
        }
    }

    /// A status of two sources and two sinks.
    private static let status: @Sendable () -> TrackerStatus = {
        var gpsd = SourceReport(id: #"gpsd "1""#)
        gpsd.fixes = 10
        gpsd.recorded = 3
        gpsd.odometer = 12.5
        gpsd.rejected = [.stale: 2, .tooNear: 5]
        var home = SyncState()
        home.queued = 4
        home.oldest = Timestamp(secondsSince1970: 1_772_359_200, nanoseconds: 500_000_000)
        home.delivered = 7
        return TrackerStatus(
            state: .running, time: ServerBench.now, sources: [gpsd, SourceReport(id: "replay")],
            sinks: [.init(id: "home", sync: home), .init(id: "fleet", sync: SyncState())],
            store: StoreStatus(
                count: 7, lastSequence: RecordSequence(rawValue: 7), bytes: 4096, dropped: 1, deadLetters: 0,
                warning: nil))
    }

    @Test func `The agent's status is told as families with labels, and ends as OpenMetrics ends`() async throws {
        try await ServerBench.with(trackerStatus: Self.status) { bench in
            #expect(try await bench.send("GET", "/metrics").status == 401)
            for _ in 1...2 {  // the second reader counts nothing twice
                let lines = try await bench.metrics()
                for line in [
                    #"trackengine_fixes_total{source="gpsd \"1\""} 10"#,
                    #"trackengine_fixes_total{source="replay"} 0"#,
                    #"trackengine_rejections_total{source="gpsd \"1\"",reason="stale"} 2"#,
                    #"trackengine_odometer_meters{source="gpsd \"1\""} 12.5"#,
                    #"trackengine_queue_records{sink="home"} 4"#,
                    #"trackengine_queue_records{sink="fleet"} 0"#,
                    #"trackengine_queue_oldest_timestamp_seconds{sink="home"} 1772359200.5"#,
                    #"trackengine_delivered_records_total{sink="home"} 7"#,
                    "trackengine_store_bytes 4096", "trackengine_store_dropped_records_total 1",
                    "trackengine_viewers 0",
                ] {
                    #expect(lines.contains(line), "\(line)")
                }
                #expect(lines.last == "# EOF")
            }
        }
    }

    @Test func `Each family is described before its numbers, once, in order`() async throws {
        try await ServerBench.with(trackerStatus: Self.status) { bench in
            var described: [String] = []
            for line in try await bench.metrics() where line != "# EOF" {
                if line.hasPrefix("# TYPE ") { described.append(String(line.split(separator: " ")[2])) }
                if line.hasPrefix("# HELP ") { #expect(line.split(separator: " ")[2] == described.last ?? "") }
                guard !line.hasPrefix("#") else { continue }
                let name = line.prefix { $0 != "{" && $0 != " " }.replacing(/_(total|count|sum)$/, with: "")
                #expect(described.last == String(name), "\(line)")
            }
            #expect(described == Set(described).sorted())
            let families = MetricFamily.ofPage.map(\.name)
            let silent = families.filter { !described.contains($0) }
            // Nothing was delivered yet, and no input was bad.
            #expect(Set(silent) == ["trackengine_last_success_timestamp_seconds", "trackengine_input_problems"])
            #expect(Set(described).isSubset(of: families))
        }
    }

    @Test func `Without an agent there are the server's own numbers and the process's`() async throws {
        try await ServerBench.with { bench in
            let lines = try await bench.metrics()
            #expect(lines.contains("trackengine_unusable_points_total 0"))
            #expect(lines.contains("trackengine_dropped_series_total 0"))
            #expect(lines.contains { $0.hasPrefix("process_resident_memory_bytes ") })
            #expect(!lines.contains { $0.contains("trackengine_fixes") })
            #expect(try await bench.send("GET", "/healthz").body == #"{"status":"ok"}"#)
        }
    }

    @Test func `Requests are counted by the class of their status, and connections while they are open`() async throws {
        try await ServerBench.with { bench in
            _ = try await bench.send("GET", "/healthz")
            _ = try await bench.send("GET", "/api/devices")
            _ = try await bench.send("GET", "/healthz", ["Host": "elsewhere.example"])
            await eventually("only the question's own connection is open") {
                (try? await bench.metrics())?.contains("trackengine_server_connections 1") ?? false
            }
            let lines = try await bench.metrics()
            #expect(lines.contains(#"trackengine_server_requests_total{status="4xx"} 2"#))
            #expect(lines.contains(#"trackengine_server_requests_total{status="5xx"} 0"#))
        }
    }

    @Test func `Points are counted as new, repeated and unusable, and commits with the time that they took`()
        async throws
    {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "anna")
            let feature = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":"#
            let point = feature + #"{"timestamp":"2026-03-01T10:00:00Z"}}"#
            let other = feature + #"{"timestamp":"2026-03-01T10:00:10Z"}}"#
            let noPoint = feature + "{}}"
            for elements in [[point, noPoint], [point, other]] {
                let reply = try await bench.send(
                    "POST", "/api/overland", ["Authorization": "Bearer \(token)"],
                    body: #"{"locations":[\#(elements.joined(separator: ","))]}"#)
                #expect(reply.status == 200)
            }
            let lines = try await bench.metrics()
            #expect(lines.contains(#"trackengine_received_points_total{result="new"} 2"#))
            #expect(lines.contains(#"trackengine_received_points_total{result="repeated"} 1"#))
            #expect(lines.contains("trackengine_unusable_points_total 1"))
            #expect(lines.contains("trackengine_history_commit_seconds_count 2"))
            let sum = try #require(lines.first { $0.hasPrefix("trackengine_history_commit_seconds_sum ") })
            let seconds = try #require(sum.split(separator: " ").last.flatMap { Double($0) })
            #expect(seconds > 0)
        }
    }

    @Test func `A program's own backend is told what the server counts`() async throws {
        let backend = TestMetrics()
        try await withMetricsFactory(backend) {
            try await ServerBench.with { bench in _ = try await bench.send("GET", "/healthz") }
        }
        #expect(try backend.expectCounter("trackengine_server_requests", [("status", "2xx")]).totalValue == 1)
        let connections = try backend.expectMeter("trackengine_server_connections")
        await eventually("all connections are closed") { connections.lastValue == 0 }
    }
}

extension ServerBench {
    /// The lines of `/metrics`.
    func metrics() async throws -> [String] {
        let reply = try await send("GET", "/metrics", ["Authorization": "Bearer \(key)"])
        #expect(reply.head.contains("application/openmetrics-text"))
        return reply.body.split(separator: "\n").map(String.init)
    }
}

@Suite struct BoardTests {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `Every metric of the Grafana board is one that the server tells`() throws {
        let board = try String(
            contentsOf: root.appendingPathComponent("Packaging/grafana/trackengine.json"), encoding: .utf8)
        let families = Set(MetricFamily.ofPage.map(\.name))
        let names = board.matches(of: /(?:trackengine|process)_[a-z_]+/).map { String($0.output) }
        #expect(names.count > 8)
        for name in Set(names) {
            #expect(families.contains(name.replacing(/_(total|count|sum)$/, with: "")), "\(name)")
        }
    }

    @Test func `The page of the routes names every family of the server`() throws {
        let page = try String(
            contentsOf: root.appendingPathComponent("Sources/TrackEngineServer/TrackEngineServer.docc/Routes.md"),
            encoding: .utf8)
        for family in MetricFamily.ofPage where !MetricFamily.ofTracker.contains(family) {
            #expect(page.contains("| `\(family.name)"), "\(family.name)")
        }
    }
}
