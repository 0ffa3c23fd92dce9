import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import TrackEngineTestKit

@Suite("Live", .timeLimit(.minutes(30)))
struct LiveTests {
    @Test func `A viewer sees a point that comes, and a sign of life before`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let viewer = try Viewer(bench)
            await viewer.reads("text/event-stream")
            await viewer.reads(": \n\n")
            _ = try await bench.send(
                "POST", "/dump?token=\(token)", body: #"{"locations":[\#(ReceivingTests.feature)]}"#)
            await viewer.reads("event: point\ndata: {\"name\":\"phone\",\"time\":1772359200,")
        }
    }

    @Test func `Who watches is counted, as long as the server knows of nobody who has gone`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            do {
                let viewer = try Viewer(bench)
                await viewer.reads(": \n\n")
                #expect(try await bench.metrics().contains("trackengine_viewers 1"))
                #expect(!viewer.text.contains(Viewer.end))
            }
            await eventually("a write shows that the viewer has gone") {
                _ = try? await bench.send(
                    "POST", "/dump?token=\(token)", body: #"{"locations":[\#(ReceivingTests.feature)]}"#)
                return (try? await bench.metrics())?.contains("trackengine_viewers 0") ?? false
            }
        }
    }

    @Test func `An older point that comes late is no news`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let viewer = try Viewer(bench)
            await viewer.reads(": \n\n")
            for time in ["10:00:05", "10:00:01", "10:00:09"] {
                let feature = ReceivingTests.feature.replacingOccurrences(of: "10:00:00", with: time)
                _ = try await bench.send("POST", "/dump?token=\(token)", body: #"{"locations":[\#(feature)]}"#)
            }
            await viewer.reads("\"time\":1772359209")
            #expect(!viewer.text.contains("\"time\":1772359201"))
        }
    }

    @Test func `The activity that the engine estimates is shown, also when a later fix is not needed`() async throws {
        try await ServerBench.with { bench in
            let viewer = try Viewer(bench)
            await viewer.reads(": \n\n")
            let fix = Fix(time: ServerBench.now, coordinate: Coordinate(latitude: 53.55, longitude: 9.98))
            let draft = RecordDraft(
                id: RecordID(device: "van-7", source: "gps", fix: fix, cause: .requested), fix: fix, isMoving: true,
                cause: .requested, activity: ActivityEstimate(.driving, confidence: 67), source: "gps")
            let record = TrackRecord(sequence: RecordSequence(rawValue: 1), draft: draft)
            let sink = HistorySink(history: bench.history, device: "van-7")
            _ = try await sink.deliver(RecordBatch(records: [record]))
            bench.server.show(.recorded(record), of: "van-7")
            await viewer.reads(#""activity":"driving""#)
            let next = Fix(time: fix.time.advanced(by: .seconds(1)), coordinate: fix.coordinate)
            bench.server.show(.rejected(fix: next, source: "gps", reason: .tooNear), of: "van-7")
            let devices = try await bench.send("GET", "/api/devices?key=\(bench.key)")
            #expect(devices.body.contains(#""time":1772366401,"#))
            #expect(devices.body.contains(#""activity":"driving""#))
        }
    }

    @Test func `Without the key nothing is shown`() async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.send("GET", "/api/live")
            #expect(reply.status == 401)
        }
    }

    @Test func `A server ends while somebody watches and others go on connecting`() async throws {
        try await ServerBench.with { bench in
            let viewer = try Viewer(bench)
            await viewer.reads(": \n\n")
            let connecting = Task.detached {
                while !Task.isCancelled {
                    _ = LoopbackSocket.accepts(at: .ipv4(bench.port))
                    await Task.yield()
                }
            }
            await bench.stop()
            connecting.cancel()
            await viewer.reads(Viewer.end)
        }
    }

    @Test func `Overland's trip is shown while it lasts`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let viewer = try Viewer(bench)
            await viewer.reads(": \n\n")
            let trip = #"{"mode":"bicycle","start":"2026-03-01T09:00:00Z","distance":3210.4}"#
            for (trip, shown) in [(#","trip":\#(trip)"#, true), ("", false)] {
                _ = try await bench.send(
                    "POST", "/dump?token=\(token)", body: #"{"locations":[\#(ReceivingTests.feature)]\#(trip)}"#)
                let devices = try await bench.send("GET", "/api/devices?key=\(bench.key)")
                let text = #""trip":{"mode":"bicycle","start":"2026-03-01T09:00:00Z","distance":3210}"#
                #expect(devices.body.contains(text) == shown, "\(devices.body)")
                if shown { await viewer.reads(text) }
            }
        }
    }

    @Test func `A page that is opened later is told what was not recorded, the newest of it`() async throws {
        try await ServerBench.with(rejectedFixLimit: 3) { bench in
            for second in 0..<5 {
                let fix = Fix(
                    time: ServerBench.now.advanced(by: .seconds(second)),
                    coordinate: Coordinate(latitude: 53.55, longitude: 9.98 + Double(second) / 100))
                bench.server.show(.rejected(fix: fix, source: "gps", reason: .tooNear), of: "van")
            }
            let times = "from=2026-03-01T12:00:00Z&to=2026-03-01T13:00:00Z"
            let reply = try await bench.send("GET", "/api/rejections?device=van&\(times)&key=\(bench.key)")
            let fixes = try JSONValue.parse(reply.bytes).array ?? []
            #expect(fixes.compactMap { $0["time"]?.number } == [2, 3, 4].map { 1_772_366_400 + $0 })
            #expect(fixes.allSatisfy { $0["reason"]?.string == "too-near" })
            for other in ["device=bus&\(times)", "device=van&from=2026-03-01T13:00:00Z&to=2026-03-01T14:00:00Z"] {
                let reply = try await bench.send("GET", "/api/rejections?\(other)&key=\(bench.key)")
                #expect(reply.body == "[]", "\(reply)")
            }
        }
    }

    @Test func `A viewer that never reads holds nobody up`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let idle = try Viewer(bench, reading: false)
            for second in 0..<300 {
                let time = Timestamp(secondsSince1970: 1_772_359_200 + Int64(second)).rfc3339(.seconds)
                let feature = ReceivingTests.feature.replacingOccurrences(of: "2026-03-01T10:00:00Z", with: time)
                let reply = try await bench.send("POST", "/dump?token=\(token)", body: #"{"locations":[\#(feature)]}"#)
                #expect(reply.status == 200)
            }
            #expect(try await bench.points(of: "phone").count == 300)
            _ = idle
        }
    }
}

/// A connection that watches, read on a thread of its own.
private final class Viewer: Sendable {
    private let descriptor: Int32
    private let received = SystemMutex("")

    init(_ bench: ServerBench, reading: Bool = true) throws {
        descriptor = try #require(LoopbackSocket.connect(to: .ipv4(bench.port)))
        let request = "GET /api/live?key=\(bench.key) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        #expect(Foundation.send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count)
        guard reading else { return }
        // Its own number for the connection: each is closed once, by who has it.
        let (descriptor, received) = (dup(descriptor), received)
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                received.withLock { $0 += String(decoding: buffer.prefix(count), as: UTF8.self) }
            }
            received.withLock { $0 += Self.end }
            close(descriptor)
        }
    }

    /// Stands behind everything when the server has ended the connection.
    static let end = "(end)"

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// All that has come.
    var text: String { received.withLock { $0 } }

    /// Waits until a text has come.
    func reads(_ part: String) async {
        await eventually("\(part) comes; there was \(text)") { text.contains(part) }
    }
}
