import TestSupport
import Testing
import TrackEngine
import TrackEngineServer
import TrackEngineSettings

@Suite("Trips by hand over HTTP", .timeLimit(.minutes(30)))
struct TripRoutesTests {
    private static let json = ["Content-Type": "application/json"]

    /// A server whose agent writes down what it is asked for.
    private static func with(
        _ body: @Sendable (ServerBench, String, SystemMutex<[RemoteRequest]>) async throws -> Void
    ) async throws {
        let asked = SystemMutex([RemoteRequest]())
        let scene = SharingScene(ownDevice: "van-7") { command in
            asked.withLock { $0.append(command) }
            if command == .startTrip(.gondola) {
                throw RemoteRejection("the agent looks for no trips: events.trips is off")
            }
            return Array(#"{"wasUnderWay":false}"#.utf8)
        }
        try await ServerBench.with(sharing: scene) { bench in
            try await body(bench, try bench.access.allowEditing().secret.revealed, asked)
        }
    }

    private static func bearer(_ key: String) -> [String: String] {
        json.merging(["Authorization": "Bearer \(key)"]) { $1 }
    }

    @Test func `A trip begins with its mode, by bicycle without one, and ends`() async throws {
        try await Self.with { bench, key, asked in
            for body in [#"{"mode":"train"}"#, "{}"] {
                let reply = try await bench.send("POST", "/api/trip", Self.bearer(key), body: body)
                #expect(reply.status == 200 && reply.body == #"{"wasUnderWay":false}"#)
            }
            #expect(try await bench.send("DELETE", "/api/trip", Self.bearer(key)).status == 200)
            #expect(asked.withLock { $0 } == [.startTrip(.train), .startTrip(.bicycle), .stopTrip])
        }
    }

    @Test func `Who may only read begins and ends none`() async throws {
        try await Self.with { bench, _, asked in
            for (method, body) in [("POST", "{}"), ("DELETE", "")] {
                let nobody = try await bench.send(method, "/api/trip", Self.json, body: body)
                let reader = try await bench.send(method, "/api/trip", Self.bearer(bench.key), body: body)
                #expect(nobody.status == 401 && reader.status == 403)
            }
            #expect(asked.withLock { $0 }.isEmpty)
        }
    }

    @Test(arguments: [
        ("", 400), ("[]", 400), (#"{"mode":"broom"}"#, 400), (#"{"mode":7}"#, 400), (#"{"mode":"gondola"}"#, 409),
    ])
    func `What begins no trip is answered with what was expected`(_ body: String, _ status: Int) async throws {
        try await Self.with { bench, key, _ in
            let reply = try await bench.send("POST", "/api/trip", Self.bearer(key), body: body)
            #expect(reply.status == status)
            expectMessage(reply.body, as: "a trip that begins with \(body)")
            let long = String(repeating: " ", count: 5_000) + "{}"
            let refused = try await bench.send("POST", "/api/trip", Self.bearer(key), body: long)
            #expect(refused.status == 413 && refused.body.contains("at most 4096 bytes"))
            let form = Self.bearer(key).merging(["Content-Type": "text/plain"]) { $1 }
            #expect(try await bench.send("POST", "/api/trip", form, body: "{}").status == 400)
        }
    }

    @Test func `A server without an agent has no trips`() async throws {
        try await ServerBench.with { bench in
            let key = try bench.access.allowEditing().secret.revealed
            #expect(try await bench.send("POST", "/api/trip", Self.bearer(key), body: "{}").status == 404)
            #expect(try await bench.send("DELETE", "/api/trip", Self.bearer(key)).status == 404)
        }
    }
}
