import Foundation
import Glibc
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineTestKit

/// The memory of `trackd` when somebody with a token sends what costs most. Its unit allows 256 MiB.
@Suite(
    .serialized, .enabled(if: TestEnvironment.memoryCounts, "memory is that of the release build"),
    .timeLimit(.minutes(30)))
struct ServerMemoryTests {
    /// Runs `trackd` with a server, a token, and the key for reading.
    private static func with(
        _ body: (RunningAgent, ReservedPort, _ token: Substring, _ key: String) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let port = try ReservedPort()
            let agent = try RunningAgent(folder, ServerAgentTests.yaml(folder, port))
            await eventually("the server answers, trackd printed: \(agent.child.text)", from: agent.child) {
                await RawReply.to("GET", "/status", at: port.number).status == 200
            }
            let added = try await agent.trackd("device", "add", "phone").text.split(separator: "\n")
            let token = try #require(added.first { $0.hasPrefix("token ") }?.dropFirst(7))
            let key = try #require(try await agent.trackd("device", "link", "--key").text.split(separator: "=").last)
            try await body(agent, port, token, key.trimmingCharacters(in: .newlines))
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }

    /// The most memory that a process has had, in MiB.
    private static func peak(of child: ChildProcess) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(child.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) >> 10
    }

    private static func send(
        _ path: String, _ text: String, _ token: Substring, at port: ReservedPort
    ) async throws -> (status: Int, packed: Int) {
        let bytes = Array(text.utf8)
        let deflated = Deflater()?.deflate(bytes[...], finishing: true)
        let packed = try #require(deflated)
        let fields = ["Content-Encoding": "gzip", "Content-Type": "application/json"]
        let reply = await RawReply.to("POST", "/t/\(token)\(path)", fields, body: packed, at: port.number)
        return (reply.status, packed.count)
    }

    /// A body of 700,000 small objects.
    struct Body: Sendable, CustomTestStringConvertible {
        let path: String
        let head: String
        let object: @Sendable (Int) -> String
        let end: String
        /// How many of the objects are points.
        let points: Int

        var testDescription: String { path }
        var text: String { head + (0..<700_000).map(object).joined(separator: ",") + end }
    }

    private static let feature =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9.98,53.55]},"properties":{"timestamp":1772000000}}"#

    private static let bodies = [
        Body(path: "/dump", head: #"{"locations":["#, object: { _ in "{}" }, end: ",\(feature)]}", points: 1),
        Body(
            path: "/calmgeo", head: "[", object: { _ in "{}" },
            end: #",{"timestamp":1772000000,"coords":{"latitude":53.55,"longitude":9.98}}]"#, points: 1),
        // Each at another place and time, so that it packs as badly as real ones do: some 4 MiB.
        Body(
            path: "/pub", head: "[",
            object: { number in
                #"{"_type":"location","tst":\#(1_772_000_000 + number),"lat":5\#(number * 7_919 % 10).\#(number % 10),"lon":1}"#
            }, end: "]", points: 700_000),
    ]

    @Test(arguments: bodies)
    func `700,000 small objects in one request stay within it`(_ body: Body) async throws {
        try await Self.with { agent, port, token, key in
            let text = body.text
            try #require(text.utf8.count < 40 << 20)
            let sent = try await Self.send(body.path, text, token, at: port)
            #expect(sent.status == 200, "\(sent.packed) bytes")
            let peak = try Self.peak(of: agent.child)
            #expect(peak < 256, "\(peak) MiB for \(sent.packed) bytes that are \(text.utf8.count)")
            let summary = await RawReply.to(
                "GET", "/api/summaries?device=phone&bounds=1771999999,1773000000&key=\(key)", at: port.number)
            #expect(summary.body.contains(#""points":\#(body.points)"#), "\(summary.body)")
        }
    }

    @Test func `60,000 points from pole to pole are drawn, and take less than 100 MiB more`() async throws {
        try await Self.with { agent, port, token, key in
            var random = SeededGenerator(seed: 17)
            for start in stride(from: 0, to: 60_000, by: 20_000) {
                let features = (start..<start + 20_000).map { second in
                    let latitude = Double.random(in: 70...85, using: &random) * (second % 2 == 0 ? 1 : -1)
                    let longitude = Double.random(in: -179...179, using: &random)
                    return Self.feature.replacingOccurrences(of: "1772000000", with: "\(1_772_000_000 + second)")
                        .replacingOccurrences(of: "9.98,53.55", with: "\(longitude),\(latitude)")
                }
                let text = #"{"locations":[\#(features.joined(separator: ","))]}"#
                #expect(try await Self.send("/dump", text, token, at: port).status == 200)
            }
            let before = try Self.peak(of: agent.child)
            let drawing = await RawReply.to(
                "GET", "/api/path?device=phone&from=1772000000&to=1772060000&zoom=12&key=\(key)", at: port.number)
            #expect(drawing.status == 200 && drawing.body.contains(#""lines":[["#), "\(drawing.head)")
            let after = try Self.peak(of: agent.child)
            #expect(after - before < 100, "from \(before) to \(after) MiB")
            #expect(await RawReply.to("GET", "/status", at: port.number).status == 200)
        }
    }

    @Test func `sixty readers that take nothing of what they request cost less than a mebibyte each`() async throws {
        try await Self.with { agent, port, _, _ in
            let request = "GET /leaflet/leaflet.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            let requests = String(repeating: request, count: 16)
            let reply = await RawReply.to("GET", "/leaflet/leaflet.js", at: port.number)
            try #require(reply.status == 200 && reply.body.utf8.count > 100_000)
            let before = try Self.peak(of: agent.child)
            let readers = (0..<60).map { _ in LoopbackSocket.connect(to: .ipv4(port.number), takingLittle: true) }
            defer { for case let reader? in readers { close(reader) } }
            for case let reader? in readers {
                #expect(Glibc.send(reader, requests, requests.utf8.count, Int32(MSG_NOSIGNAL)) == requests.utf8.count)
            }
            for case let reader? in readers {
                var head = [UInt8](repeating: 0, count: 12)
                await eventually("it has the beginning of a file") {
                    recv(reader, &head, 12, Int32(MSG_PEEK | MSG_DONTWAIT)) == 12 && head == Array("HTTP/1.1 200".utf8)
                }
            }
            for _ in 0..<20 {
                #expect(await RawReply.to("GET", "/leaflet/leaflet.js", at: port.number).status == 200)
            }
            let after = try Self.peak(of: agent.child)
            #expect(after - before < 60, "from \(before) to \(after) MiB")
        }
    }
}
