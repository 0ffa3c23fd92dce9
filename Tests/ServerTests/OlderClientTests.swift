import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

@Suite("HTTP/1.0", .timeLimit(.minutes(30)))
struct OlderClientTests {
    private static let times = "device=van&from=1772359200&to=1772360200"

    private static func withDrive(_ body: @Sendable (ServerBench) async throws -> Void) async throws {
        try await ServerBench.with { bench in
            let points = (0..<200).map { step in
                let coordinate = Coordinate(latitude: 53 + Double(step) / 100, longitude: 10 + Double(step % 2) / 10)
                return HistoryPoint(
                    fix: Fix(time: Timestamp(secondsSince1970: 1_772_359_200 + Int64(step)), coordinate: coordinate))
            }
            _ = try await bench.history.add(points, of: "van")
            try await body(bench)
        }
    }

    /// A document whose length is known, and one that is written while it is read.
    @Test(arguments: ["/api/path?\(times)&within=1", "/api/export?\(times)&format=csv"])
    func `A client of HTTP/1.0 gets the bytes as they are, and the connection's end behind them`(_ target: String)
        async throws
    {
        try await Self.withDrive { bench in
            let newer = try await bench.send("GET", "\(target)&key=\(bench.key)")
            let body = newer.head.lowercased().contains("chunked") ? newer.unchunked : newer.bytes
            let older = try await bench.exchange(
                "GET \(target)&key=\(bench.key) HTTP/1.0\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n"
                    + "Connection: keep-alive\r\n\r\n")
            let head = older.head.lowercased()
            #expect(head.hasPrefix("http/1.0 200"))
            #expect(!head.contains("transfer-encoding") && !head.contains("content-encoding"))
            #expect(head.contains("connection: close"))
            #expect(older.bytes == body && body.count > 1_000)
        }
    }

    @Test func `A client of HTTP/1.0 may send`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let body = #"{"locations":[\#(ReceivingTests.feature)]}"#
            let reply = try await bench.exchange(
                "POST /dump?token=\(token) HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            #expect(reply.status == 200 && reply.body == #"{"result":"ok"}"#)
            #expect(try await bench.points(of: "phone").count == 1)
        }
    }
}
