import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("Connections that the broker ends")
struct EndingTests {
    @Test("A broker that says why it hangs up is quoted, also with messages under way", arguments: [1, 5, 20])
    func takenOver(_ count: Int) async throws {
        let broker = try FakeBroker(.takes { _ in nil })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        let delivery = Task { try await sink.deliver(RecordBatch(records: SampleRecords.records(count: count))) }
        await eventually("under way", within: .seconds(30)) { sink.status.inFlight == count }
        broker.say([0xE0, 0x01, 0x8E])  // DISCONNECT, session taken over: MQTT 5 section 3.14
        let error = await #expect(throws: DeliveryError.self) { try await delivery.value }
        #expect(error?.reason.contains("taken over") == true)
        await sink.close()
    }

    @Test(
        "A broker at ::1 whose port swallowed packets or refused them for a while is found again",
        .enabled(if: LoopbackListener.hasIPv6), arguments: [MQTTFailure.Kind.timedOut, .unreachable])
    func ipv6(_ kind: MQTTFailure.Kind) async throws {
        var hole: BlackHole? = try BlackHole(at: .ipv6(port: nil))
        let port = try #require(hole?.port)
        if kind == .unreachable { hole = nil }  // a closed port refuses
        let sink = try Samples.sink(port: port) {
            $0.host = "::1"
            $0.connectTimeout = .seconds(1)
        }
        let upkeep = Task { try await sink.run() }
        await eventually("a failure", within: .seconds(30)) { sink.failure?.kind == kind }
        hole = nil
        let broker = try FakeBroker(.takes { _ in 0 }, at: .ipv6(port: port))
        await eventually("connected", within: .seconds(30)) { sink.status.connection == .connected }
        try #require(sink.status.connection == .connected)
        try await sink.deliverAll(SampleRecords.records(count: 1))
        #expect(broker.payloads == [SampleRecords.record(1).id.description])
        upkeep.cancel()
        await sink.close()
        broker.stop()
    }
}
