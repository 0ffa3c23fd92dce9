import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

/// Each timer of the sink once on the system's clock, which no test moves: a deadline that is compared with itself stands
/// still on a manual clock alone.
@Suite("Timers on the system's clock")
struct RealClockTests {
    private let batch = RecordBatch(records: SampleRecords.records(count: 1))

    /// Runs a sink's upkeep meanwhile.
    private func withUpkeep(_ sink: MQTTSink, _ body: () async throws -> Void) async throws {
        let upkeep = Task { try await sink.run() }
        try await body()
        upkeep.cancel()
        await sink.close()
    }

    @Test
    func `Health is published when a connection is made, and again when it has changed`() async throws {
        let broker = try FakeBroker(.takes { _ in 0 })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port, format: PlainFormat(reportsHealth: true))
        sink.observeQueue { 7 }
        try await withUpkeep(sink) {
            await eventually("the first") { broker.payloads.contains("queued 7") }
            sink.observeQueue { 8 }
            await eventually("the second") { broker.payloads.contains("queued 8") }
        }
    }

    @Test
    func `A lost connection is made again after the back-off`() async throws {
        let broker = try FakeBroker(.hangsUp)
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        try await withUpkeep(sink) {
            await eventually("three attempts") { broker.connections >= 3 }
        }
    }

    @Test
    func `A broker that does not answer in time is given up`() async throws {
        let broker = try FakeBroker(.silent)
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port) { $0.connectTimeout = .seconds(1) }
        let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
        expectMessage(error?.reason)
        await sink.close()
    }

    @Test
    func `A broker that does not acknowledge in time is given up`() async throws {
        let broker = try FakeBroker(.takes { _ in nil })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port) { $0.acknowledgementTimeout = .seconds(1) }
        let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
        expectMessage(error?.reason)
        await sink.close()
    }

    @Test
    func `A broker that acknowledges no farewell is left behind`() async throws {
        let broker = try FakeBroker(.takes { $0 == "offline" ? nil : 0 })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port) { $0.availabilityTopic = "fleet/van-7/availability" }
        _ = try await sink.deliver(batch)
        await sink.expectToClose()
        #expect(broker.payloads.contains("offline"))
    }
}
