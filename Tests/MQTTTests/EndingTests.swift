import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("Connections that the broker ends")
struct EndingTests {
    @Test(arguments: [1, 5, 20])
    func `A broker that says why it hangs up is quoted, also with messages under way`(_ count: Int) async throws {
        let broker = try FakeBroker(.takes { _ in nil })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        let delivery = Task { try await sink.deliver(RecordBatch(records: SampleRecords.records(count: count))) }
        await eventually("under way") { sink.status.inFlight == count }
        broker.say([0xE0, 0x01, 0x8E])  // DISCONNECT, session taken over: MQTT 5 section 3.14
        let error = await #expect(throws: DeliveryError.self) { try await delivery.value }
        #expect(error?.reason.contains("taken over") == true)
        await sink.close()
    }

    @Test(arguments: [0x90, 0x95, 0x99] as [UInt8])
    func `A broker that hangs up over a message starts a search for it`(_ reason: UInt8) async throws {
        let broker = try FakeBroker(.takes { _ in nil })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        let delivery = Task { try await sink.deliver(RecordBatch(records: SampleRecords.records(count: 2))) }
        await eventually("under way") { sink.status.inFlight == 2 }
        broker.say([0xE0, 0x01, reason])
        let error = await #expect(throws: DeliveryError.self) { try await delivery.value }
        guard case .retry(_, evidence: .failure) = error?.recovery else {
            Issue.record("no suspicion of a record: \(String(describing: error?.recovery))")
            return await sink.close()
        }
        await sink.close()
    }

    @Test
    func `A broker that hangs up without a word while records are under way may do so for one of them`() async throws {
        let broker = try FakeBroker(.takes { _ in nil })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        let delivery = Task { try await sink.deliver(RecordBatch(records: SampleRecords.records(count: 2))) }
        await eventually("under way") { sink.status.inFlight == 2 }
        broker.stop()
        let error = await #expect(throws: DeliveryError.self) { try await delivery.value }
        if case .retry(_, evidence: .silence) = error?.recovery {
        } else {
            Issue.record("\(String(describing: error?.recovery))")
        }
        await sink.close()
    }

    @Test
    func `A delivery of which nothing was sent is not blamed for the message that ended the connection`() async throws {
        let broker = try FakeBroker(.takes { _ in nil })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port) { $0.backoff = Backoff(maximum: .seconds(86_400)) }
        for count in 1...3 {  // the waits for the next attempt are 1 s, 3 s and 7 s
            let delivery = Task { try await sink.deliver(RecordBatch(records: SampleRecords.records(count: count))) }
            await eventually("under way, and read by the broker") {
                sink.status.inFlight == count && broker.payloads.count == count * (count + 1) / 2
            }
            broker.say([0xE0, 0x01, 0x99])
            let error = await #expect(throws: DeliveryError.self) { try await delivery.value }
            guard case .retry(_, evidence: .failure) = error?.recovery else {
                Issue.record("no suspicion: \(String(describing: error?.recovery))")
                return await sink.close()
            }
        }
        let sent = broker.payloads.count
        let error = await #expect(throws: DeliveryError.self) {
            try await sink.deliver(RecordBatch(records: SampleRecords.records(from: 10, count: 1)))
        }
        guard case .retry(_, evidence: nil) = error?.recovery else {
            Issue.record("a suspicion: \(String(describing: error?.recovery))")
            return await sink.close()
        }
        #expect(error?.reason.contains("payload format invalid") == true)
        #expect(broker.payloads.count == sent)
        await sink.close()
    }

    @Test(
        arguments: [true, false])
    func `Farewell is said to a broker that has heard of the end; to another the last will shall say it`(
        _ acknowledges: Bool
    ) async throws {
        let broker = try FakeBroker(.takes { _ in acknowledges ? 0 : nil })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port) { $0.availabilityTopic = "fleet/van-7/availability" }
        let records = SampleRecords.records(count: 40)
        let delivery = Task { try await sink.deliver(RecordBatch(records: records)) }
        await eventually("all that may be is sent") {
            acknowledges ? sink.status.acknowledged == records.count : broker.payloads.count == 20
        }
        await sink.close()
        _ = await delivery.result
        await eventually("the connection has ended") { broker.open == 0 }
        #expect(broker.payloads.contains("offline") == acknowledges)
        #expect(broker.farewells == (acknowledges ? 1 : 0))
    }

    @Test
    func `A task that is cancelled closes as well as any other`() async throws {
        let broker = try FakeBroker(.takes { _ in 0 })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port) { $0.availabilityTopic = "fleet/van-7/availability" }
        try await sink.deliverAll(SampleRecords.records(count: 1))
        let closing = Task {
            await eventually("cancelled") { Task.isCancelled }
            await sink.close()
            return sink.status.connection
        }
        closing.cancel()
        #expect(await closing.value == .closed)
    }

    @Test(
        .enabled(if: LoopbackSocket.hasIPv6), arguments: [MQTTFailure.Kind.timedOut, .unreachable])
    func `A broker at ::1 whose port swallowed packets or refused them for a while is found again`(
        _ kind: MQTTFailure.Kind
    ) async throws {
        let port = try ReservedPort()
        var hole: BlackHole? = try BlackHole(at: { .ipv6($0) }, port: port)
        if kind == .unreachable { hole = nil }  // a closed port refuses
        let sink = try Samples.sink(port: port.number) {
            $0.host = "::1"
            $0.connectTimeout = .seconds(1)
        }
        let upkeep = Task { try await sink.run() }
        await eventually("a failure") { sink.failure?.kind == kind }
        withExtendedLifetime(hole) {}
        hole = nil
        let broker = try FakeBroker(.takes { _ in 0 }, at: { .ipv6($0) }, port: port)
        await eventually("connected") { sink.status.connection == .connected }
        try #require(sink.status.connection == .connected)
        try await sink.deliverAll(SampleRecords.records(count: 1))
        #expect(broker.payloads == [SampleRecords.record(1).id.description])
        upkeep.cancel()
        await sink.close()
        broker.stop()
    }
}
