import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("The Miataru sink and a real receiver", .serialized, .timeLimit(.minutes(30)))
struct MiataruSinkTests {
    private func outcome(
        _ url: String, _ batch: RecordBatch, _ change: (inout MiataruSink.Configuration) -> Void = { _ in }
    ) async throws -> Result<Receipt, DeliveryError> {
        let sink = try MiataruSink(configuration: Samples.configuration(url, change))
        let result: Result<Receipt, DeliveryError>
        do throws(DeliveryError) { result = .success(try await sink.deliver(batch)) } catch { result = .failure(error) }
        await sink.close()
        return result
    }

    private let batch = RecordBatch(
        records: (1...3).map { Samples.record(Samples.fix(1_763_710_000 + $0), number: $0) })

    @Test(arguments: ["", "/", "/v1", "/v1/"])
    func `an address with or without the version leads to the same path`(_ end: String) async throws {
        try await withReceiver { receiver in
            let result = try await outcome(receiver.url("/ok" + end), batch)
            #expect(result == .success(Receipt(settled: 3)))
            let requests = try receiver.requests()
            #expect(requests.map(\.target) == ["/ok/v1/UpdateLocation"])
            #expect(requests.first?.headers["content-type"] == "application/json")
        }
    }

    @Test(arguments: [
        ("/status:400", DeliveryError.Recovery.rejected), ("/status:403", .needsOperator),
        ("/status:404", .needsOperator),
        ("/status:413", .smaller), ("/status:500", .retry(evidence: .failure)),
        ("/status:429", .retry()), ("/html", .retry(evidence: .silence)), ("/failed", .retry(evidence: .silence)),
        ("/empty", .retry(evidence: .silence)), ("/reset", .retry(evidence: .silence)),
    ])
    func `each answer says what to do next`(_ path: String, _ recovery: DeliveryError.Recovery) async throws {
        try await withReceiver { receiver in
            guard case .failure(let error) = try await outcome(receiver.url(path), batch) else {
                Issue.record("it is no confirmation")
                return
            }
            #expect(error.recovery == recovery, "\(error)")
            #expect(!error.reason.contains(Samples.deviceID))
        }
    }

    @Test func `what no server takes is named, and the others go out`() async throws {
        try await withReceiver { receiver in
            let records = [
                Samples.record(Samples.fix(0), number: 1), Samples.record(Samples.fix(1_763_710_002), number: 2),
                Samples.record(Samples.fix(1_763_710_003, latitude: .nan), number: 3),
            ]
            let result = try await outcome(receiver.url("/ok"), RecordBatch(records: records)) { $0.history = true }
            #expect(
                result
                    == .success(
                        Receipt(
                            settled: 3,
                            refused: [
                                records[0].id: "the record's time is before 1970",
                                records[2].id: "the record has no valid position",
                            ])))
            #expect(try receiver.records().map(\.id) == ["1763710002"])
        }
    }

    @Test func `a key that was changed is used with the next request`() async throws {
        try await withReceiver { receiver in
            let key = Mutex("old")
            let sink = try MiataruSink(
                configuration: Samples.configuration(receiver.url("/ok")),
                identity: {
                    MiataruIdentity(deviceID: Secret(Samples.deviceID), deviceKey: Secret(key.withLock { $0 }))
                })
            _ = try await sink.deliver(batch)
            key.withLock { $0 = "new" }
            _ = try await sink.deliver(batch)
            let keys = try receiver.records().map { $0.json.contains(#""DeviceKey":"new""#) }
            #expect(keys == [false, true])
            await sink.close()
        }
    }

    @Test func `when older places came after a newer one, the newer one is said once more`() async throws {
        try await withReceiver { receiver in
            let sink = try MiataruSink(configuration: Samples.configuration(receiver.url("/ok")) { $0.history = true })
            for (numbers, isBacklog) in [(1...2, true), (9...9, true), (3...4, true), (5...6, false)] {
                let records = numbers.map { Samples.record(Samples.fix(1_763_710_000 + Int64($0)), number: Int64($0)) }
                _ = try await sink.deliver(RecordBatch(records: records, isBacklog: isBacklog))
            }
            #expect(try receiver.records().map { $0.id.suffix(1) } == ["1", "2", "9", "3", "4", "5", "6", "9"])
            await sink.close()
        }
    }

    /// Whether the sink waits for its next turn, and not for a reply. One reading: the sink goes on between two.
    private static func isIdle(_ clock: ManualClock) -> Bool {
        let deadlines = clock.deadlines
        return deadlines.count == 1 && deadlines[0] > .seconds(10)
    }

    @Test func `what was deleted does not come back by itself, and a place survives a restart`() async throws {
        try await withReceiver { receiver in
            try await TestEnvironment.withTemporaryDirectory { folder in
                let mark = SharingMarkFile(of: "miataru", in: folder)
                let place = Samples.fix(1_763_710_000)
                let agent = PausableAgent(latest: place)
                /// Runs a sink as after a start until its renewal has had a chance, after what is done first.
                func run(_ body: (MiataruSink) async throws -> Void) async throws -> Int {
                    let clock = ManualClock()
                    let configuration = Samples.configuration(receiver.url("/ok")) { $0.retention = 30 }
                    let sink = try MiataruSink(
                        id: "miataru", configuration: configuration,
                        keeper: .configuration { configuration.identity }, mark: mark, clock: clock)
                    sink.attach(to: agent)
                    let before = try receiver.requests().count
                    let upkeep = Task { try await sink.run() }
                    await clock.sleepers(atLeast: 1)
                    try await body(sink)
                    for _ in 0..<3 {
                        await eventually("it waits, and for no reply") { Self.isIdle(clock) }
                        if let wait = clock.nextDeadline { clock.advance(by: wait) }
                    }
                    await eventually("it waits again") { Self.isIdle(clock) }
                    upkeep.cancel()
                    _ = await upkeep.result  // nothing is under way when the connections end
                    await sink.close()
                    return try receiver.requests().count - before
                }
                let never = try await run { _ in }
                #expect(never == 0, "what was never delivered is not sent by itself")
                let first = try await run { sink in
                    _ = try await sink.deliver(RecordBatch(records: [Samples.record(place)]))
                }
                #expect(first >= 2 && mark.read()?.isShared == true)
                let restarted = try await run { _ in }
                #expect(restarted >= 2, "the place is there again after a restart")
                try mark.change { $0 = SharingMark(deleted: Timestamp(secondsSince1970: 1_763_710_500)) }
                let deleted = try await run { _ in }
                #expect(deleted == 0)
                let later = Samples.record(Samples.fix(1_763_711_000), number: 2)
                let moved = try await run { sink in _ = try await sink.deliver(RecordBatch(records: [later])) }
                #expect(moved >= 2, "a later place is sent and renewed")
                // The command comes while the agent runs.
                let besides = try await run { sink in
                    _ = try await sink.deliver(RecordBatch(records: [later]))
                    try mark.change { $0 = SharingMark(deleted: Timestamp(secondsSince1970: 1_763_711_500)) }
                    let last = Samples.record(Samples.fix(1_763_712_000), number: 3)
                    _ = try await sink.deliver(RecordBatch(records: [last]))
                }
                #expect(besides >= 3 && mark.read()?.isShared == true, "what comes after a deletion is renewed, too")
            }
        }
    }

    // MARK: Deletion

    /// A sink with its mark in a folder, beside a receiver.
    private func withMark(
        _ path: String = "/ok", history: Bool = false,
        _ body: (ReceiverProcess, SharingMarkFile, () throws -> MiataruSink) async throws -> Void
    ) async throws {
        try await withReceiver { receiver in
            try await TestEnvironment.withTemporaryDirectory { folder in
                let mark = SharingMarkFile(of: "miataru", in: folder)
                let configuration = Samples.configuration(receiver.url(path)) { $0.history = history }
                try await body(receiver, mark) {
                    try MiataruSink(
                        id: "miataru", configuration: configuration, keeper: .configuration { configuration.identity },
                        mark: mark, clock: ContinuousClock())
                }
            }
        }
    }

    private func records(_ numbers: ClosedRange<Int64>) -> [TrackRecord] {
        numbers.map { Samples.record(Samples.fix(1_763_710_000 + $0), number: $0) }
    }

    private static func calls(_ receiver: ReceiverProcess) throws -> [String] {
        try receiver.requests().map { String($0.target.split(separator: "/").last ?? "") }
    }

    @Test(arguments: [false, true])
    func `what waited when everything was deleted is settled and not sent, also after a restart`(
        _ history: Bool
    ) async throws {
        try await withMark(history: history) { receiver, mark, makeSink in
            try mark.change { $0 = SharingMark(deleted: Timestamp(secondsSince1970: 1_763_710_003)) }
            for _ in 1...2 {
                let sink = try makeSink()
                let receipt = try await sink.deliver(RecordBatch(records: records(1...3)))
                #expect(receipt == Receipt(settled: 3))
                #expect(mark.read()?.withheld == 3, "what is settled twice counts once")
                let status = sink.statusItems(now: .now()).first { $0.name == "withheld" }
                #expect(status?.value == .count(3))
                await sink.close()
            }
            #expect(try Self.calls(receiver) == ["DeleteLocation", "DeleteLocation"], "once for each process")
            let sink = try makeSink()
            #expect(try await sink.deliver(RecordBatch(records: records(2...5))) == Receipt(settled: 4))
            #expect(try receiver.records().map(\.id) == (history ? ["1763710004", "1763710005"] : ["1763710005"]))
            await sink.close()
        }
    }

    @Test func `the newest place goes out beside records that are withheld, and an older one does not`() async throws {
        try await withMark { receiver, mark, makeSink in
            try mark.change { $0 = SharingMark(deleted: Timestamp(secondsSince1970: 1_763_710_005)) }
            let sink = try makeSink()
            let all = records(1...9)
            _ = try await sink.deliver(RecordBatch(records: Array(all[0...1]), current: all[4]))
            #expect(try receiver.records().isEmpty)
            _ = try await sink.deliver(RecordBatch(records: Array(all[2...6]), current: all[8]))
            #expect(try receiver.records().map(\.id) == ["1763710009"])
            await sink.close()
        }
    }

    @Test func `a mark that cannot be read has nothing sent`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await withReceiver { receiver in
                let mark = SharingMarkFile(of: "miataru", in: folder)
                try mark.change { $0.isShared = true }
                try "{\"deleted\":\"yes\"}".write(
                    toFile: folder + "/miataru/miataru.shared.json", atomically: false, encoding: .utf8)
                let configuration = Samples.configuration(receiver.url("/ok"))
                let sink = try MiataruSink(
                    id: "miataru", configuration: configuration, keeper: .configuration { configuration.identity },
                    mark: mark, clock: ContinuousClock())
                let failure = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
                #expect(failure?.recovery == .retry())
                #expect(try receiver.requests().isEmpty)
                try mark.replace(with: SharingMark(deleted: Timestamp(secondsSince1970: 1)))
                #expect(try await sink.deliver(batch) == Receipt(settled: 3), "the next deletion puts it right")
                await sink.close()
            }
        }
    }

    @Test func `the server is asked again where a deletion came while a place was under way`() async throws {
        try await withReceiver { receiver in
            try await TestEnvironment.withTemporaryDirectory { folder in
                let mark = SharingMarkFile(of: "miataru", in: folder)
                let configuration = Samples.configuration(receiver.url("/ok,status:503,ok"))
                // The identity is asked for between the look at the mark and the request.
                let deletion = Mutex(true)
                let sink = try MiataruSink(
                    id: "miataru", configuration: configuration,
                    keeper: .configuration {
                        if deletion.withLock({
                            let first = $0
                            $0 = false
                            return first
                        }) {
                            try? mark.replace(with: SharingMark(deleted: Timestamp(secondsSince1970: 1_763_710_009)))
                        }
                        return configuration.identity
                    }, mark: mark, clock: ContinuousClock())
                _ = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
                #expect(try await sink.deliver(batch) == Receipt(settled: 3))
                #expect(try Self.calls(receiver) == ["UpdateLocation", "DeleteLocation", "DeleteLocation"])
                #expect(mark.read()?.isShared == false)
                await sink.close()
            }
        }
    }

    // MARK: Renewal

    /// Runs a sink beside a body; the clock stands until the body moves it.
    private func running(
        _ receiver: ReceiverProcess, _ path: String = "/ok", history: Bool = false,
        _ body: (MiataruSink, ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let configuration = Samples.configuration(receiver.url(path)) { ($0.retention, $0.history) = (30, history) }
        let sink = try MiataruSink(configuration: configuration, clock: clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await sink.run() }
            await clock.sleepers(atLeast: 1)
            try await body(sink, clock)
            group.cancelAll()
        }
        await sink.close()
    }

    /// Moves the clock to the end of the period that the sink waits for, when no request is under way.
    private func passPeriod(_ clock: ManualClock) async {
        await eventually("it waits, and for no reply") {
            Self.isIdle(clock)
        }
        if let wait = clock.nextDeadline { clock.advance(by: wait) }
    }

    @Test func `the place of a device that rests is sent again before the server forgets it`() async throws {
        try await withReceiver { receiver in
            try await running(receiver) { sink, clock in
                _ = try await sink.deliver(batch)
                let start = clock.now
                await passPeriod(clock)
                await passPeriod(clock)
                await eventually("it comes again") { (try? receiver.records().count) ?? 0 >= 2 }
                #expect(start.duration(to: clock.now) < .seconds(30 * 60))
                await passPeriod(clock)
                await eventually("and again") { (try? receiver.records().count) ?? 0 >= 3 }
                #expect(Set(try receiver.records().map(\.json)).count == 1)
            }
        }
    }

    @Test func `a renewal that fails is tried again a minute later`() async throws {
        try await withReceiver { receiver in
            try await running(receiver, "/ok,status:500,status:500,ok") { sink, clock in
                _ = try await sink.deliver(batch)
                await passPeriod(clock)
                await passPeriod(clock)
                for _ in 1...2 {
                    await eventually("a minute's pause") { clock.deadlines == [.seconds(60)] }
                    clock.advance(by: .seconds(60))
                }
                await eventually("it comes again") { (try? receiver.records().count) ?? 0 == 2 }
            }
        }
    }

    @Test func `in a pause the place is not sent again, and soon afterwards it is`() async throws {
        try await withReceiver { receiver in
            try await running(receiver) { sink, clock in
                let agent = PausableAgent()
                sink.attach(to: agent)
                _ = try await sink.deliver(batch)
                agent.isPaused = true
                await passPeriod(clock)
                await passPeriod(clock)
                for _ in 1...5 {
                    await eventually("a minute's pause") { clock.deadlines == [.seconds(60)] }
                    clock.advance(by: .seconds(60))
                }
                await eventually("it looks again") { clock.deadlines == [.seconds(60)] }
                #expect(try receiver.requests().count == 1)
                agent.isPaused = false
                clock.advance(by: .seconds(60))
                await eventually("it comes again") { (try? receiver.records().count) ?? 0 == 2 }
            }
        }
    }

    @Test func `with a history nothing is sent twice`() async throws {
        try await withReceiver { receiver in
            try await running(receiver, history: true) { sink, clock in
                _ = try await sink.deliver(batch)
                for _ in 0..<6 { await passPeriod(clock) }
                #expect(try receiver.requests().count == 1)
            }
        }
    }

    @Test func `a delivery ends a renewal that waits for its reply, and comes after it`() async throws {
        try await withReceiver { receiver in
            try await running(receiver, "/ok,silent,ok") { sink, clock in
                _ = try await sink.deliver(batch)
                await passPeriod(clock)
                await passPeriod(clock)
                await eventually("a renewal is under way") { (try? receiver.requests().count) ?? 0 >= 2 }
                let newer = RecordBatch(records: [Samples.record(Samples.fix(1_763_710_900), number: 4)])
                _ = try await sink.deliver(newer)
                #expect(try receiver.records().map(\.id) == ["1763710003", "1763710900"])
            }
        }
    }
}
