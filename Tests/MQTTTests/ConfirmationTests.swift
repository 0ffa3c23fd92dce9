import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("Records that a consumer has to confirm")
struct ConfirmationTests {
    private static let topic = "fleet/van-7/confirmed"
    private let batch = RecordBatch(records: SampleRecords.records(count: 6))
    private var ids: [String] { batch.records.map(\.id.description) }

    /// A sink for a broker that acknowledges everything, where somebody confirms the records with these ids.
    private func withSink(
        timeout: Duration = .seconds(600), format: PlainFormat = PlainFormat(), confirming ids: Set<String> = [],
        _ body: (MQTTSink, FakeBroker) async throws -> Void
    ) async throws {
        let broker = try FakeBroker(.silent)
        defer { broker.stop() }
        confirm(ids, at: broker)
        let sink = try Samples.sink(port: broker.port, format: format) {
            $0.confirm = .init(topic: Self.topic, timeout: timeout)
        }
        try await body(sink, broker)
        await sink.close()
        broker.become(.silent)  // which lets go of the rule, and that of the broker
    }

    /// Has records confirmed as they come, before the broker acknowledges them.
    private func confirm(_ ids: Set<String>, at broker: FakeBroker) {
        broker.become(
            .takes { payload in
                if ids.contains(payload) { broker.publish(payload, to: Self.topic) }
                return 0
            })
    }

    @Test
    func `What the broker has and nobody confirms is not settled, and comes again`() async throws {
        try await withSink(timeout: .seconds(1)) { sink, broker in
            for round in 1...2 {
                let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
                #expect(error?.recovery == .retry())
                #expect(error?.reason.contains("no message on \(Self.topic) for 1 s") == true)
                #expect(broker.payloads.count == round * 6)
            }
            #expect(sink.status.acknowledged == 12)
            #expect(sink.status.confirmed == 0)
            #expect(sink.status.connections == 1)
        }
    }

    @Test
    func `A confirmation that comes before the broker's acknowledgement counts`() async throws {
        try await withSink(confirming: Set(ids)) { sink, broker in
            let receipt = try await sink.deliver(batch)
            #expect(receipt == .all(of: batch))
            #expect(sink.status.confirmed == 6)
            #expect(sink.status.lastConfirmation != nil)
            #expect(broker.payloads == ids)
        }
    }

    @Test
    func `A confirmation that comes after it counts, also of many records in one message`() async throws {
        try await withSink { sink, broker in
            let delivery = Task { try await sink.deliver(batch) }
            await eventually("acknowledged") { sink.status.acknowledged == 6 }
            let list = ids.map { "\"\($0.lowercased())\"" }.joined(separator: ", ")
            broker.publish("[\(list)]\n", to: Self.topic)
            let receipt = try await delivery.value
            #expect(receipt == .all(of: batch))
        }
    }

    @Test
    func `Of a batch that is confirmed in part, the records before the gap are settled, and the rest comes again`()
        async throws
    {
        try await withSink(timeout: .seconds(1), confirming: [ids[0], ids[1], ids[2], ids[4]]) { sink, broker in
            let receipt = try await sink.deliver(batch)
            #expect(receipt == Receipt(settled: 3))
            confirm([ids[3], ids[5]], at: broker)
            let rest = RecordBatch(records: Array(batch.records[3...]))
            let second = try await sink.deliver(rest)
            #expect(second == .all(of: rest), "the fifth was confirmed before")
            #expect(broker.payloads == ids + ids[3...])
        }
    }

    @Test
    func `Behind a message that the broker denies nothing is sent again and again`() async throws {
        try await withSink { sink, broker in
            let bad = ids[2]
            broker.become(
                .takes { payload in
                    if payload == bad { return 0x87 }
                    broker.publish(payload, to: Self.topic)
                    return 0
                })
            let receipt = try await sink.deliver(batch)
            #expect(receipt == Receipt(settled: 2))
            let rest = RecordBatch(records: Array(batch.records[2...]))
            for _ in 1...3 { _ = await #expect(throws: DeliveryError.self) { try await sink.deliver(rest) } }
            #expect(broker.payloads.count { $0 == bad } == 4)
            #expect(broker.payloads.filter { $0 != bad } == ids.filter { $0 != bad })
        }
    }

    @Test
    func `What is reported meanwhile is confirmed, too`() async throws {
        try await withSink(confirming: Set(ids.prefix(2))) { sink, _ in
            let settled = Mutex(0)
            let report = { @Sendable (count: Int) in settled.withLock { $0 = max($0, count) } }
            let delivery = Task { try await sink.deliver(batch, reporting: report) }
            await eventually("all are acknowledged") { sink.status.acknowledged == 6 }
            await eventually("two are reported") { settled.withLock { $0 } == 2 }
            delivery.cancel()
            _ = try? await delivery.value  // cancelled
            #expect(settled.withLock { $0 } == 2)
        }
    }

    @Test
    func `After a reconnect the client subscribes again, and what was confirmed before still counts`() async throws {
        try await withSink { sink, broker in
            let first = Task { try await sink.deliver(batch) }
            await eventually("acknowledged") { sink.status.acknowledged == 6 }
            broker.publish(ids[5], to: Self.topic)
            await eventually("one is confirmed") { sink.status.confirmed == 1 }
            broker.reset()
            await #expect(throws: DeliveryError.self) { try await first.value }
            let second = Task { try await sink.deliverAll(batch.records) }
            await eventually("the first is sent again") { broker.payloads.count == 7 }
            for id in ids.prefix(5) { broker.publish(id, to: Self.topic) }
            try await second.value
            #expect(sink.status.confirmed == 6)
            #expect(broker.subscriptions == 2)
        }
    }

    @Test(arguments: [true, false])
    func `A close and a cancellation end the wait`(_ closes: Bool) async throws {
        try await withSink { sink, _ in
            let delivery = Task { try await sink.deliver(batch) }
            await eventually("acknowledged") { sink.status.acknowledged == 6 }
            if closes { await sink.expectToClose() } else { delivery.cancel() }
            await #expect(throws: DeliveryError.self) { try await delivery.value }
        }
    }

    @Test
    func `A message with several records is settled when all of them are confirmed`() async throws {
        try await withSink(format: PlainFormat(batchSize: 3)) { sink, broker in
            let delivery = Task { try await sink.deliver(batch) }
            await eventually("acknowledged") { sink.status.acknowledged == 2 }
            for id in ids { broker.publish(id, to: Self.topic) }
            let receipt = try await delivery.value
            #expect(receipt == .all(of: batch))
        }
    }

    @Test
    func `A record that the broker refuses needs no confirmation to be a dead letter`() async throws {
        try await withSink { sink, broker in
            let (poison, good) = (ids[1], ids)
            broker.become(
                .takes { payload in
                    if payload != poison { broker.publish(payload, to: Self.topic) }
                    return payload == poison ? 0x99 : 0
                })
            let receipt = try await sink.deliver(batch)
            #expect(receipt.settled == good.count)
            #expect(Set(receipt.refused.keys) == [batch.records[1].id])
        }
    }

    @Test
    func `A refusal is told although the connection ends before the records ahead of it are confirmed`() async throws {
        try await withSink { sink, broker in
            let poison = ids[3]
            broker.become(.takes { $0 == poison ? 0x95 : 0 })
            let delivery = Task { try await sink.deliver(batch) }
            await eventually("answered") {
                sink.status.acknowledged == 5 && sink.status.refused == 1
            }
            broker.reset()
            let error = await #expect(throws: DeliveryError.self) { try await delivery.value }
            #expect(error?.recovery == .rejected)
            #expect(error?.reason.contains("packet too large") == true)
        }
    }

    @Test
    func
        `A broker that hangs up over a message gets the next ones one by one, so that those ahead of it are confirmed`()
        async throws
    {
        try await withSink { sink, broker in
            let poison = ids[3]
            broker.become(
                .takes { payload in
                    // On the first connection nothing is confirmed in time.
                    if payload == poison {
                        broker.reset()
                    } else if broker.connections > 1 {
                        broker.publish(payload, to: Self.topic)
                    }
                    return payload == poison ? nil : 0
                })
            await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
            await eventually("the connection is another one") {
                sink.status.connections == 2 && broker.open == 1
            }
            let before = broker.payloads.count
            let receipt = try await sink.deliver(batch)
            #expect(receipt == Receipt(settled: 3))
            #expect(Array(broker.payloads[before...]) == Array(ids[...3]))
            confirm(Set(ids), at: broker)
            try await sink.deliverAll(Array(batch.records[3...]))
        }
    }

    @Test
    func `A consumer that waits for more records before it confirms gets them all after a time`() async throws {
        try await withSink(timeout: .seconds(5)) { sink, broker in
            let first = Task { try await sink.deliver(batch) }
            await eventually("acknowledged") { sink.status.acknowledged == 6 }
            broker.reset()
            await #expect(throws: DeliveryError.self) { try await first.value }
            await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
            #expect(broker.payloads.count == 7, "one, for which no confirmation came")
            let third = Task { try await sink.deliver(batch) }
            await eventually("all are sent") { broker.payloads.count == 13 }
            for id in ids { broker.publish(id, to: Self.topic) }
            let receipt = try await third.value
            #expect(receipt == .all(of: batch))
        }
    }

    @Test
    func `Malformed confirmations are counted and change nothing; ids that nobody waits for are passed over`()
        async throws
    {
        try await withSink { sink, broker in
            let delivery = Task { try await sink.deliver(batch) }
            await eventually("acknowledged") { sink.status.acknowledged == 6 }
            let wrong = ["", "yes", "{}", "[1]", "[\"\(ids[0])\",\"x\"]", String(repeating: "x", count: 5000)]
            for text in wrong { broker.publish(text, to: Self.topic) }
            broker.publish(ids[0], to: Self.topic, isRetained: true)
            broker.publish("\(SampleRecords.record(99).id)", to: Self.topic)
            await eventually("counted") { sink.status.confirmationsRejected == wrong.count + 1 }
            #expect(sink.status.confirmed == 0)
            for id in ids { broker.publish(id, to: Self.topic) }
            let receipt = try await delivery.value
            #expect(receipt == .all(of: batch))
            #expect(sink.status.confirmationsRejected == wrong.count + 1)
        }
    }

    @Test
    func `While the broker refuses the subscription nothing is sent, and the sink pauses until it is granted`()
        async throws
    {
        try await withSink(confirming: Set(ids)) { sink, broker in
            broker.answerSubscriptions(with: 0x87)
            for _ in 1...2 {
                let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
                #expect(error?.recovery == .needsOperator)
                expectMessage(error?.reason)
            }
            #expect(broker.payloads == [])
            broker.answerSubscriptions(with: 1)
            let receipt = try await sink.deliver(batch)
            #expect(receipt == .all(of: batch))
            #expect(sink.status.connections == 1)
        }
    }

    @Test
    func `While the client subscribes to nothing, after a message that was too large, nothing is sent`() async throws {
        try await withSink(confirming: Set(ids)) { sink, broker in
            _ = try await sink.deliver(batch)
            broker.say([0x30, 0x80, 0x80, 0x80, 1])
            await eventually("connected again") { sink.status.connections == 2 }
            let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
            #expect(error?.recovery == .retry())
            #expect(error?.reason.contains("not listened to") == true)
            #expect(broker.payloads == ids)
        }
    }

    @Test
    func `A broker that does not answer the subscription is given up, and nothing is sent`() async throws {
        let broker = try FakeBroker(.takes { _ in 0 })
        defer { broker.stop() }
        broker.answerSubscriptions(with: nil)
        let sink = try Samples.sink(port: broker.port) {
            $0.confirm = .init(topic: Self.topic)
            $0.acknowledgementTimeout = .seconds(1)
        }
        let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
        #expect(error?.reason.contains("does not answer a subscription") == true)
        #expect(broker.payloads == [])
        await sink.close()
    }

    @Test
    func `Home Assistant confirms nothing, and records are not confirmed where they are published`() {
        func keys(_ format: RecordFormat, _ topic: String) -> [String] {
            let messages = MessageOptions(format: format, base: "fleet", deviceID: "van-7")
            do throws(ConfigurationError) {
                _ = try MQTTSink(
                    configuration: Samples.configuration {
                        $0.confirm = .init(topic: topic)
                        $0.messages = messages
                    })
                return []
            } catch { return error.problems.map(\.key) }
        }
        for format in [RecordFormat.trackengine, .batch, .owntracks] { #expect(keys(format, Self.topic) == []) }
        #expect(keys(.homeassistant, Self.topic) == ["confirm"])
        #expect(keys(.trackengine, "fleet/van-7/record") == ["confirm.topic"])
        #expect(keys(.trackengine, "fleet/van-7/last") == ["confirm.topic"])
    }

    @Test
    func `Confirmations go well with neither quality of service 0 nor a topic of the sink's own, nor odd times`() {
        func keys(_ change: (inout MQTTSink.Configuration) -> Void) -> [String] {
            do throws(ConfigurationError) {
                _ = try MQTTSink(
                    id: "fleet",
                    configuration: Samples.configuration {
                        $0.confirm = .init(topic: Self.topic)
                        change(&$0)
                    }, format: PlainFormat())
                return []
            } catch { return error.problems.map(\.key) }
        }
        #expect(keys { _ in } == [])
        #expect(keys { $0.qualityOfService = .atMostOnce } == ["confirm"])
        #expect(keys { $0.availabilityTopic = Self.topic } == ["confirm.topic"])
        #expect(keys { $0.commands = .init(topic: Self.topic, allowed: [.report]) } == ["confirm.topic"])
        #expect(keys { $0.confirm?.topic = "fleet/+/confirmed" } == ["confirm.topic"])
        #expect(keys { $0.confirm?.timeout = .milliseconds(999) } == ["confirm.timeout"])
        #expect(keys { $0.confirm?.timeout = .seconds(3601) } == ["confirm.timeout"])
    }
}
