import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer
import TrackEngineTestKit

/// Bodies that would cost memory: those that nobody wants, and many at once.
@Suite("Bodies and memory", .timeLimit(.minutes(30)))
struct BodyBoundTests {
    private static let body = #"{"locations":[\#(ReceivingTests.feature)]}"#

    /// So many requests of as many devices, of each of which 8,300,000 bytes have been sent and not all.
    private static func slowRequests(_ count: Int, to bench: ServerBench) async throws -> [OpenRequest] {
        var requests: [OpenRequest] = []
        for index in 0..<count {
            let token = try bench.token(of: DeviceID(rawValue: "slow-\(index)"))
            requests.append(try await OpenRequest(unending: "/dump?token=\(token)", bytes: 8_300_000, to: bench))
        }
        return requests
    }

    @Test func `A body that nobody wants is not kept, so that it needs no room beside those of senders`() async throws {
        try await ServerBench.with { bench in
            let slow = try await Self.slowRequests(4, to: bench)
            for _ in 0..<5 {
                let body = String(repeating: " ", count: 1_000_000)
                #expect(try await bench.send("POST", "/dump?token=wrong", body: body).status == 401)
            }
            #expect(!slow.contains { $0.isAnswered })
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil))
    func `Memory of a long body is the system's when it was freed, also after others of its length`() throws {
        MemoryOptions.giveBack()
        for _ in 0..<8 {
            // What other tests have freed may lie in the heap and serve some: it is taken first.
            var taken = [malloc(24 << 20)]
            while taken.count < 16, !Self.isOfTheSystem(taken.last ?? nil) { taken.append(malloc(24 << 20)) }
            #expect(Self.isOfTheSystem(taken.last ?? nil))
            for piece in taken { free(piece) }
        }
    }

    /// Whether the system gave memory for this piece alone: it begins on a page of its own, behind 16 bytes of the
    /// library's.
    private static func isOfTheSystem(_ piece: UnsafeMutableRawPointer?) -> Bool {
        UInt(bitPattern: piece) % 4096 == 16
    }

    @Test func `Long bodies leave Swift's own threads to others, and are read one after the other`() async throws {
        let thread = BodyThread()
        let count = ProcessInfo.processInfo.activeProcessorCount + 1
        let reading = Reading()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    await thread.run(of: DeviceID(rawValue: "\(number)")) { reading.read() }
                }
            }
            group.addTask { for _ in 0..<count { reading.others.signal() } }
        }
        #expect(reading.most.load(ordering: .relaxed) == 1)
    }

    @Test func `A sender with several long bodies holds up another for one of them`() async throws {
        let thread = BodyThread()
        let (reading, order) = (Reading(), SystemMutex([String]()))
        // The first one holds the thread until all of them are there: the executor has each when it is made.
        let works = ["first 1", "slow 1", "slow 2", "slow 3", "other 1"].map { name in
            Task(executorPreference: thread.executor(of: DeviceID(rawValue: String(name.prefix { $0 != " " })))) {
                reading.read()
                order.withLock { $0.append(name) }
            }
        }
        for _ in works { reading.others.signal() }
        for work in works { await work.value }
        #expect(order.withLock { $0 } == ["first 1", "slow 1", "other 1", "slow 2", "slow 3"])
    }

    /// Blocks the thread that reads, until others have done something.
    private final class Reading: Sendable {
        let others = DispatchSemaphore(value: 0)
        let most = Atomic(0)
        private let running = Atomic(0)

        func read() {
            let count = running.add(1, ordering: .relaxed).newValue
            most.max(count, ordering: .relaxed)
            others.wait()
            running.subtract(1, ordering: .relaxed)
        }
    }

    @Test(arguments: ["0", "{}"])
    func `A long body of elements that are no points holds up another sender's for one portion`(_ element: String)
        async throws
    {
        try await ServerBench.with { bench in
            let slow = try bench.token(of: "slow")
            let elements = String(repeating: element + ",", count: 9_000_000 / (element.utf8.count + 1)) + element
            let body = #"{"locations":[\#(elements)]}"#
            let request = try await OpenRequest(
                "POST /dump?token=\(slow) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body, to: bench)
            let token = try bench.token(of: "phone")
            let long = String(repeating: " ", count: 200_000) + Self.body
            #expect(try await bench.send("POST", "/dump?token=\(token)", body: long).status == 200)
            #expect(!request.isAnswered, "it is still read")
        }
    }

    @Test func `A body that nobody wants and that goes on is not read to its end`() async throws {
        try await ServerBench.with { bench in
            // A mebibyte is read, and the system's buffers hold some more.
            let stranger = try await OpenRequest(unending: "/dump?token=wrong", bytes: 30 << 20, to: bench)
            #expect(!stranger.isTaken)
        }
    }

    @Test func `Who is refused with a body of a usual size keeps its connection`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let requests = ["wrong", token].map { token in
                "POST /dump?token=\(token) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(Self.body.utf8.count)\r\n\r\n"
                    + Self.body
            }
            let connection = try await OpenRequest(requests.joined(), to: bench)
            let replies = await connection.reads(until: #"{"result":"ok"}"#)
            #expect(replies.hasPrefix("HTTP/1.1 401") && replies.contains("HTTP/1.1 200"), "\(replies)")
        }
    }

    @Test func `All bodies that arrive are bounded, and one that ends leaves its room to others`() async throws {
        try await ServerBench.with { bench in
            // Of 56 MiB that are for long ones, six of these leave some.
            var slow = try await Self.slowRequests(9, to: bench)
            await eventually("two are refused") { slow.count { $0.isAnswered } >= 2 }
            let token = try bench.token(of: "phone")
            #expect(try await bench.send("POST", "/dump?token=\(token)", body: Self.body).status == 200, "a short one")
            slow.removeAll()
            let body = String(repeating: " ", count: 8_300_000) + Self.body
            await eventually("there is room again") {
                (try? await bench.send("POST", "/dump?token=\(token)", body: body))?.status == 200
            }
        }
    }
}
