import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import TrackEngineTestKit

/// A drawing that takes long, and the others who ask meanwhile.
@Suite("A drawing and its reader", .timeLimit(.minutes(15)))
struct DrawingTests {
    /// Holds the first query of a history until it is cancelled or may go on.
    private final class Gate: Sendable {
        private struct State {
            var isHeld = false
            var mayGoOn = false
            var sawCancellation = false
        }

        private let state = Mutex(State())

        var isHeld: Bool { state.withLock { $0.isHeld } }
        var sawCancellation: Bool { state.withLock { $0.sawCancellation } }

        func open() { state.withLock { $0.mayGoOn = true } }

        /// Called on the thread of the history.
        func hold() {
            let isFirst = state.withLock { state in
                defer { state.isHeld = true }
                return !state.isHeld
            }
            guard isFirst else { return }
            // No event tells a thread that its task was cancelled.
            while !Task.isCancelled, !state.withLock({ $0.mayGoOn }) { usleep(2_000) }
            let isCancelled = Task.isCancelled
            state.withLock { $0.sawCancellation = isCancelled }
        }
    }

    /// A way to and fro, a point a second.
    private static let points = (0..<4_000).map { second in
        let coordinate = Coordinate(latitude: 53.5 + Double(second % 7) * 0.01, longitude: 9.98 + Double(second) * 1e-4)
        let time = ServerBench.now.advanced(by: .seconds(second - 4_000))
        return HistoryPoint(fix: Fix(time: time, coordinate: coordinate))
    }

    /// A server whose history holds the first query.
    private static func with(_ body: @Sendable (ServerBench, Gate, String) async throws -> Void) async throws {
        let gate = Gate()
        var environment = HistoryEnvironment()
        environment.willLook = { gate.hold() }
        try await ServerBench.with(environment: environment) { bench in
            defer { gate.open() }
            _ = try await bench.history.add(points, of: "van")
            let end = ServerBench.now.secondsSince1970
            try await body(
                bench, gate, "/api/path?device=van&from=\(end - 4_000)&to=\(end)&zoom=12&key=\(bench.key)")
        }
    }

    private static func request(_ target: String, _ bench: ServerBench) async throws -> OpenRequest {
        try await OpenRequest("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", to: bench)
    }

    @Test func `it is cancelled when its reader leaves, and the next question is answered`() async throws {
        try await Self.with { bench, gate, path in
            var reader: OpenRequest? = try await Self.request(path, bench)
            await eventually("it is being drawn") { gate.isHeld }
            #expect(reader?.isAnswered == false)
            reader = nil
            await eventually("it is cancelled") { gate.sawCancellation }
            let next = try await bench.send("GET", path)
            #expect(next.status == 200 && next.body.contains(#""lines":[["#))
        }
    }

    @Test func `it goes on while its reader waits, and others who need no history are answered meanwhile`()
        async throws
    {
        try await Self.with { bench, gate, path in
            let reader = try await Self.request(path, bench)
            await eventually("it is being drawn") { gate.isHeld }
            for _ in 0..<8 { #expect(try await bench.send("GET", "/status").status == 200) }
            #expect(try await bench.send("GET", "/api/places?key=\(bench.key)").status == 200)
            #expect(!reader.isAnswered)
            gate.open()
            #expect(await reader.reads(until: #""lines":[["#).hasPrefix("HTTP/1.1 200"))
            #expect(!gate.sawCancellation)
        }
    }
}
