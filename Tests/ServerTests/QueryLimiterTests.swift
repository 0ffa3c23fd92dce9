import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import TrackEngineTestKit

/// Questions and exports take turns, so that senders do not wait for them.
@Suite(.timeLimit(.minutes(15))) struct QueryLimiterTests {
    /// Questions that are answered when a test says so.
    private final class Questions: Sendable {
        let turns = QueryLimiter()
        private let gates: [(stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)]
        private let state = Mutex<[Int]>([])

        init(_ count: Int) { gates = (0..<count).map { _ in AsyncStream.makeStream() } }

        /// The questions that have begun, in this order.
        var begun: [Int] { state.withLock { $0 } }

        /// Asks a question, of an owner with 15 others unless another one is named.
        func ask(_ number: Int, of owner: DeviceID? = nil, isPatient: Bool = false) async throws {
            let owner = owner ?? DeviceID(rawValue: "\(number / 16)")
            try await turns.take(of: .sender(owner), waitingAmongAnyNumber: isPatient) {
                state.withLock { $0.append(number) }
                for await _ in gates[number].stream {}
            }
        }

        func end(_ number: Int) { gates[number].continuation.finish() }

        /// Ends questions one after the other, each when the end before has let another one begin. Of two that begin
        /// at a time either may note it first.
        func endInTurn(_ numbers: [Int]) async {
            for (index, number) in numbers.enumerated() {
                end(number)
                let count = min(index + 1 + QueryLimiter.count, numbers.count)
                await eventually("\(count) have begun") { self.begun.count >= count }
            }
        }

        /// Waits until so many have begun or wait.
        func arrive(_ count: Int) async {
            await eventually("\(count) have asked") { await begun.count + turns.waitingCount == count }
        }
    }

    @Test func `two questions are answered at a time, and the third begins when one of them ends`() async throws {
        let questions = Questions(3)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                group.addTask { try await questions.ask(number) }
                await questions.arrive(number + 1)
            }
            #expect(questions.begun == [0, 1])
            #expect(await questions.turns.waitingCount == 1)
            questions.end(1)
            await eventually("the third begins") { questions.begun.count > 2 }
            #expect(questions.begun == [0, 1, 2])
            #expect(await questions.turns.waitingCount == 0)
            for number in 0..<3 { questions.end(number) }
            try await group.waitForAll()
        }
    }

    @Test func `64 wait, one more is refused, and a document that has begun waits among any number`() async throws {
        let questions = Questions(68)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<66 {
                group.addTask { try await questions.ask(number) }
                await questions.arrive(number + 1)
            }
            #expect(await questions.turns.waitingCount == 64)
            let refused = Mutex(false)
            group.addTask {
                await #expect(throws: QueryLimiter.Rejection.self) { try await questions.ask(66) }
                refused.withLock { $0 = true }
            }
            await eventually("it is refused, or waits") {
                let count = await questions.turns.waitingCount
                return refused.withLock { $0 } || count > 64
            }
            group.addTask { try await questions.ask(67, isPatient: true) }
            await questions.arrive(67)
            #expect(await questions.turns.waitingCount == 65)
            questions.end(66)
            let answered = Array(0..<66) + [67]
            await questions.endInTurn(answered)
            try await group.waitForAll()
            #expect(questions.begun == answered)
        }
    }

    @Test func `of one owner 16 wait, whose documents and further questions leave room for those of others`()
        async throws
    {
        let questions = Questions(100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<18 {
                group.addTask { try await questions.ask(number, of: "one") }
                await questions.arrive(number + 1)
            }
            for number in 18..<98 {
                group.addTask { try await questions.ask(number, of: "one", isPatient: true) }
                await questions.arrive(number + 1)
            }
            questions.end(98)
            await #expect(throws: QueryLimiter.Rejection.self) { try await questions.ask(98, of: "one") }
            group.addTask { try await questions.ask(99, of: "other") }
            await questions.arrive(99)
            let answered = Array(0..<98) + [99]
            await questions.endInTurn(answered)
            try await group.waitForAll()
            #expect(questions.begun == answered)
        }
    }

    @Test func `a question whose reader has gone meanwhile is not begun, and gives its turn to the next one`()
        async throws
    {
        let questions = Questions(4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2 { group.addTask { try await questions.ask(number) } }
            await questions.arrive(2)
            let gone = Task { try await questions.ask(2) }
            await questions.arrive(3)
            gone.cancel()
            group.addTask { try await questions.ask(3) }
            await questions.arrive(4)
            for number in 0..<4 { questions.end(number) }
            await #expect(throws: CancellationError.self) { try await gone.value }
            try await group.waitForAll()
            #expect(Set(questions.begun) == [0, 1, 3])
        }
    }

    // MARK: Over HTTP

    /// Some hundred bytes of each in an export.
    private static func points(_ count: Int) -> [HistoryPoint] {
        (0..<count).map { second in
            let time = ServerBench.now.advanced(by: .seconds(second - count))
            let coordinate = Coordinate(latitude: 53.55 + Double(second) * 1e-5, longitude: 9.98)
            return HistoryPoint(fix: Fix(time: time, coordinate: coordinate, horizontalAccuracy: 5, speed: 10))
        }
    }

    /// How many connections the server has.
    private static func connections(_ bench: ServerBench) async throws -> Int {
        let lines = try await bench.send("GET", "/metrics?key=\(bench.key)").body.split(separator: "\n")
        let line = lines.first { $0.hasPrefix("trackengine_server_connections ") }
        return try #require(line?.split(separator: " ").last.flatMap { Double($0) }.map { Int($0) })
    }

    @Test func `an export ends without its last points when the right to it is withdrawn`() async throws {
        try await ServerBench.with { bench in
            _ = try await bench.history.add(Self.points(20_000), of: "van")
            let end = ServerBench.now.secondsSince1970
            let export = try await OpenRequest(
                "GET /api/export?device=van&from=\(end - 20_000)&to=\(end)&format=ndjson&key=\(bench.key) HTTP/1.1\r\n"
                    + "Host: 127.0.0.1\r\nConnection: close\r\n\r\n", to: bench, takingLittle: true)
            var text = await export.reads(until: "latitude")
            try bench.access.renewKeys()
            text += await export.reads()
            let points = text.split(separator: "latitude").count - 1
            #expect((1..<20_000).contains(points), "\(points) points")
        }
    }

    @Test func `forty exports that nobody reads delay neither a sender nor a question`() async throws {
        try await ServerBench.with { bench in
            _ = try await bench.history.add(Self.points(20_000), of: "van")
            let token = try bench.token(of: "phone")
            let end = ServerBench.now.secondsSince1970
            let export =
                "GET /api/export?device=van&from=\(end - 20_000)&to=\(end)&format=ndjson&key=\(bench.key) HTTP/1.1\r\n"
                + "Host: 127.0.0.1\r\nConnection: close\r\n\r\n"
            // The server ends a reply of which nothing is taken for half a minute: a machine that took longer tries
            // again.
            try await eventually("both are answered while all forty are under way") {
                var exports: [OpenRequest] = []
                for _ in 0..<40 {
                    let export = try await OpenRequest(export, to: bench, takingLittle: true)
                    // One after the other: of one key, 16 wait at most.
                    await eventually("it has begun") { export.isAnswered }
                    exports.append(export)
                }
                let sent = try await bench.send(
                    "POST", "/dump?token=\(token)", body: #"{"locations":[\#(ReceivingTests.feature)]}"#)
                let devices = try await bench.send("GET", "/api/devices?key=\(bench.key)")
                #expect(sent.status == 200 && devices.status == 200)
                let isWhileAll = try await Self.connections(bench) >= 40
                return withExtendedLifetime(exports) { isWhileAll }
            }
            #expect(try await bench.points(of: "phone").count == 1)
        }
    }
}
