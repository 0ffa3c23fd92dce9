import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("Where nobody answers")
struct SilenceTests {
    private let batch = RecordBatch(records: SampleRecords.records(count: 1))

    // MARK: Lookups

    private func sink(_ lookup: SlowLookup, port: Int, connectTimeout: Duration) throws -> MQTTSink {
        try MQTTSink(
            id: "fleet", configuration: Samples.configuration(port: port) { $0.connectTimeout = connectTimeout },
            format: PlainFormat(),
            beforeLookup: { lookup.hang() })
    }

    @Test
    func `A lookup that hangs is given up in time, no more than three hang at once, and one that ends is enough`()
        async throws
    {
        let broker = try FakeBroker(.takes { _ in 0 })
        let lookup = SlowLookup()
        defer {
            lookup.answer()
            broker.stop()
        }
        let sink = try sink(lookup, port: broker.port, connectTimeout: .seconds(1))
        let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
        expectMessage(error?.reason)
        await eventually("no more lookups are begun") {
            sink.failure?.description == "3 lookups of the host name do not end"
        }
        #expect(sink.failure?.kind == .nameLookup)
        await eventually("the third lookup's thread runs") { lookup.lookups >= 3 }
        #expect(lookup.lookups == 3)
        lookup.answer()
        try await sink.deliverAll(batch.records)
        #expect(broker.payloads == batch.records.map(\.id.description))
        await sink.expectToClose()
    }

    @Test
    func `A sink closes while its lookup hangs`() async throws {
        let lookup = SlowLookup()
        defer { lookup.answer() }
        let sink = try sink(lookup, port: 1883, connectTimeout: .seconds(120))
        let delivery = Task { try await sink.deliver(batch) }
        await eventually("the lookup hangs") { lookup.lookups == 1 }
        await sink.expectToClose()
        await #expect(throws: DeliveryError.self) { try await delivery.value }
    }

    // MARK: Connections

    @Test
    func `A black hole is a time-out`() async throws {
        let hole = try BlackHole()
        let sink = try Samples.sink(port: hole.port) {
            $0.connectTimeout = .seconds(3)
            $0.backoff = Backoff(maximum: .seconds(60))
        }
        var reason: String?
        // On a machine that is busy an attempt's time may be over before the lookup's thread had its turn.
        await eventually("an attempt to connect") {
            do throws(DeliveryError) { _ = try await sink.deliver(batch) } catch { reason = error.reason }
            return reason != "the lookup of the host name does not end"
        }
        expectMessage(reason)
        #expect(await sink.nextFailure()?.kind == .timedOut)
        await sink.expectToClose()
    }

    @Test
    func `A sink closes while a black hole swallows its packets`() async throws {
        let hole = try BlackHole()
        let sink = try Samples.sink(port: hole.port) { $0.connectTimeout = .seconds(120) }
        let delivery = Task { try await sink.deliver(batch) }
        await eventually("it connects") { sink.status.connection == .connecting }
        await sink.expectToClose()
        await #expect(throws: DeliveryError.self) { try await delivery.value }
    }

    @Test(
        arguments: [true, false])
    func `A peer that does not shake hands, or hangs up, is no broker; the sink closes meanwhile`(_ isSilent: Bool)
        async throws
    {
        let peer = try FakeBroker(isSilent ? .silent : .hangsUp)
        defer { peer.stop() }
        let sink = try Samples.sink(port: peer.port) {
            $0.tls = .init()
            $0.connectTimeout = .seconds(isSilent ? 120 : 20)
            $0.backoff = Backoff(maximum: .seconds(60))
        }
        let delivery = Task { try await sink.deliver(batch) }
        if isSilent {
            await eventually("it shakes hands") { peer.connections == 1 }
        } else {
            #expect(await [.tls, .connectionLost].contains(sink.nextFailure()?.kind))
        }
        await sink.expectToClose()
        await #expect(throws: DeliveryError.self) { try await delivery.value }
    }

    // MARK: A broker that stands still

    @Test
    func `An idle connection that is dead is noticed after twice the keep-alive`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let sink = try Samples.sink(port: broker.port) {
                $0.keepAlive = .seconds(5)
                $0.backoff = Backoff(maximum: .seconds(60))
            }
            _ = try await sink.deliver(batch)
            let start = Timestamp.now()
            broker.freeze(true)
            await eventually("noticed") { sink.status.connection != .connected }
            // Twice the keep-alive is 10 s; the rest is for a machine that is busy. TCP alone notices nothing.
            let noticed = try #require(sink.status.since)
            #expect(noticed.duration(since: start) < .seconds(120))
            #expect(await sink.nextFailure()?.kind == .timedOut)
            await sink.expectToClose()
            broker.freeze(false)
        }
    }

    @Test
    func `A sink closes at a broker that stands still, with messages under way`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let sink = try Samples.sink(port: broker.port) { $0.availabilityTopic = "fleet/van-7/availability" }
            _ = try await sink.deliver(batch)
            broker.freeze(true)
            let delivery = Task {
                try await sink.deliver(RecordBatch(records: SampleRecords.records(from: 2, count: 5)))
            }
            await eventually("under way") { sink.status.inFlight == 5 }
            await sink.expectToClose()
            await #expect(throws: DeliveryError.self) { try await delivery.value }
            broker.freeze(false)
        }
    }
}
