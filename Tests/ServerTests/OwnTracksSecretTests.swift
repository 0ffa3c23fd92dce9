import OwnTracksFormat
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import TrackEngineTestKit

@Suite("Encrypted messages of OwnTracks", .timeLimit(.minutes(30)))
struct OwnTracksSecretTests {
    private static let location = #"{"_type":"location","tst":1772359200,"lat":53.55,"lon":9.98}"#

    private func sealed(_ secret: String) throws -> String {
        let bytes = try OwnTracksSecret(Secret(secret)).sealed(Array(Self.location.utf8))
        return String(decoding: bytes, as: UTF8.self)
    }

    private func with(
        _ secrets: [DeviceID: Secret], _ body: @Sendable (ServerBench, String) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.ownTracksSecrets = secrets
        try await ServerBench.with(configuration) { bench in
            try await body(bench, try bench.token(of: "phone"))
        }
    }

    @Test func `A sender's secret opens its messages, which are kept as any other`() async throws {
        try await with(["phone": Secret("s3cr3t")]) { bench, token in
            let reply = try await bench.send("POST", "/pub?token=\(token)", body: sealed("s3cr3t"))
            #expect(reply.status == 200 && reply.body == "[]")
            let points = try await bench.points(of: "phone")
            #expect(points.map(\.fix.coordinate) == [Coordinate(latitude: 53.55, longitude: 9.98)])
        }
    }

    @Test func `A sender with a secret may also send in the clear`() async throws {
        try await with(["phone": Secret("s3cr3t")]) { bench, token in
            let reply = try await bench.send("POST", "/pub?token=\(token)", body: Self.location)
            #expect(reply.status == 200)
            let points = try await bench.points(of: "phone")
            #expect(points.count == 1)
        }
    }

    @Test(arguments: [
        ("phone", "another", "that the secret does not open"), ("other", "s3cr3t", "for which there is no secret"),
    ])
    func `A message that cannot be opened is listed with its reason, and loses nothing else`(
        _ device: String, _ secret: String, _ reason: String
    ) async throws {
        try await with([DeviceID(rawValue: device): Secret("s3cr3t")]) { bench, token in
            let body = "[\(try sealed(secret)),\(Self.location)]"
            let reply = try await bench.send("POST", "/pub?token=\(token)", body: body)
            #expect(reply.status == 200)
            let points = try await bench.points(of: "phone")
            #expect(points.count == 1)
            let rejected = try await bench.send("GET", "/api/rejected?key=\(bench.key)")
            #expect(rejected.body.contains(reason) && rejected.body.contains(#""total":1,"#), "\(rejected.body)")
        }
    }
}
