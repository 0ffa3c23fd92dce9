import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineHistory
import TrackEngineServer

@Suite("Compression", .timeLimit(.minutes(30)))
struct CompressionTests {
    private static func gzip(_ text: String) throws -> [UInt8] { try gzip(Array(text.utf8)) }

    private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let deflater = Deflater(), let packed = deflater.deflate(bytes[...], finishing: true) else {
            throw NoMemory()
        }
        return packed
    }

    private struct NoMemory: Error {}

    private static func post(
        _ body: [UInt8], as encoding: String, to bench: ServerBench
    ) async throws -> RawReply {
        let token = try bench.token(of: "phone")
        return await RawReply.to(
            "POST", "/dump?token=\(token)", ["Content-Encoding": encoding], body: body, at: bench.port)
    }

    @Test(arguments: ["gzip", "x-gzip", "GZIP"])
    func `A body in gzip is taken`(_ encoding: String) async throws {
        try await ServerBench.with { bench in
            let body = try Self.gzip(#"{"locations":[\#(ReceivingTests.feature)]}"#)
            #expect(try await Self.post(body, as: encoding, to: bench).status == 200)
            #expect(try await bench.points(of: "phone").count == 1)
        }
    }

    @Test func `A body that inflates beyond the bound, that is cut, damaged or otherwise packed is refused in words`()
        async throws
    {
        let whole = try Self.gzip(#"{"locations":[\#(ReceivingTests.feature)]}"#)
        let bomb = try Self.gzip([UInt8](repeating: UInt8(ascii: " "), count: 41 << 20))
        let bodies: [(body: [UInt8], encoding: String, status: Int)] = [
            (bomb, "gzip", 413), (whole.dropLast(), "gzip", 400), (Array("x".utf8), "gzip", 400), (whole, "br", 415),
        ]
        for wanted in bodies {
            try await ServerBench.with { bench in
                let reply = try await Self.post(wanted.body, as: wanted.encoding, to: bench)
                #expect(reply.status == wanted.status, "\(reply.body)")
                #expect(reply.body.contains("expected"))
                #expect(try await bench.points(of: "phone").isEmpty)
            }
        }
    }

    @Test(arguments: [("gzip, deflate, br", true), ("br;q=1, GZIP;q=0.5", true), ("gzip;q=0", false), ("", false)])
    func `A long reply is compressed for who accepts it`(_ accepted: String, _ isCompressed: Bool) async throws {
        try await ServerBench.with { bench in
            let points = (0..<200).map { step in
                let coordinate = Coordinate(latitude: 53 + Double(step) / 100, longitude: 10 + Double(step % 2) / 10)
                return HistoryPoint(
                    fix: Fix(time: Timestamp(secondsSince1970: 1_772_359_200 + Int64(step)), coordinate: coordinate))
            }
            _ = try await bench.history.add(points, of: "van")
            let target = "/api/path?device=van&from=1772359200&to=1772360200&within=1&key=\(bench.key)"
            let plain = try await bench.send("GET", target)
            #expect(plain.head.lowercased().contains("content-encoding") == false)
            #expect(plain.head.lowercased().contains("vary: accept-encoding"))
            let reply = try await bench.send("GET", target, ["Accept-Encoding": accepted])
            #expect(reply.head.lowercased().contains("content-encoding: gzip") == isCompressed)
            #expect(reply.head.lowercased().contains("vary: accept-encoding"))
            if isCompressed {
                #expect(try Inflater.inflate(reply.unchunked, atMost: 1 << 20) == Array(plain.body.utf8))
            }
        }
    }

    @Test func `A request without a body may say that it is compressed`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let reply = try await bench.send(
                "GET", "/osmand?id=\(token)&lat=53.55&lon=9.98&timestamp=1772359200", ["Content-Encoding": "gzip"])
            #expect(reply.status == 200)
            #expect(try await bench.points(of: "phone").count == 1)
        }
    }

    @Test func `The stream of what happens is not compressed, nor is a short reply`() async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.send("GET", "/status", ["Accept-Encoding": "gzip"])
            #expect(!reply.head.lowercased().contains("content-encoding"))
            #expect(!reply.head.lowercased().contains("vary"))
            let descriptor = try #require(LoopbackSocket.connect(to: .ipv4(bench.port)))
            defer { close(descriptor) }
            let request =
                "GET /api/live?key=\(bench.key) HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n"
            #expect(Foundation.send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count)
            let head = await LoopbackSocket.receive(from: descriptor).lowercased()
            #expect(head.contains("text/event-stream") && !head.contains("content-encoding"))
        }
    }
}
