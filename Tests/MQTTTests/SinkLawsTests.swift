import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("The MQTT sink keeps the laws of sinks")
struct SinkLawsTests {
    @Test
    func `against a real broker`() async throws {
        #expect(try await violations { $0 } == [])
    }

    @Test
    func `A sink that settles what it has only queued breaks them`() async throws {
        let laws = Set(try await violations { HastySink($0) }.map(\.law))
        #expect(laws.isSuperset(of: [SinkLaws.downIsRetry, SinkLaws.cancellationEndsDelivery]))
    }

    @Test
    func `A sink that settles what it has only written to the connection breaks them`() async throws {
        let laws = Set(try await violations(.atMostOnce) { $0 }.map(\.law))
        #expect(laws.contains(SinkLaws.cancellationEndsDelivery))
    }

    @Test
    func `with a consumer that confirms`() async throws {
        let found = try await violations(confirm: .init(topic: Self.confirmationTopic)) { $0 }
        #expect(found == [], "\(found)")
    }

    @Test
    func `A sink that settles what only the broker has acknowledged breaks them where a consumer has to confirm`()
        async throws
    {
        let confirm = MQTTSink.Configuration.ConfirmationOptions(topic: Self.confirmationTopic)
        let laws = Set(try await violations(confirm: confirm, ignoring: true) { StubbornSink($0) }.map(\.law))
        #expect(laws.contains(SinkLaws.cancellationEndsDelivery))
    }

    private static let confirmationTopic = "confirmed/van-7"

    /// Runs the laws: willing and refusing is a real broker, which takes no packet above 4 KiB; silent is a fake one, which
    /// acknowledges nothing, or everything where a consumer has to confirm.
    ///
    /// - Parameter ignoresConfirmations: whether the sink is one that wants none.
    private func violations(
        _ quality: MQTTSink.Configuration.QualityOfService = .atLeastOnce,
        confirm: MQTTSink.Configuration.ConfirmationOptions? = nil, ignoring ignoresConfirmations: Bool = false,
        _ wrap: @escaping @Sendable (MQTTSink) -> any FixSink
    ) async throws -> [LawViolation] {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var options = MosquittoBroker.Options()
            // With a consumer the limit is one that is told: mosquitto hangs up over what breaks the other one, and takes
            // the confirmations of the records ahead with it, which is no refusal of a record.
            options.lines = [confirm == nil ? "message_size_limit 4096" : "max_packet_size 4096"]
            let broker = try await MosquittoBroker(in: directory, options)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log", filter: "fleet/#")
            let consumer = try await SubscriberProcess(
                of: broker, log: directory + "/consumer", id: "consumer", filter: "fleet/van-7/record",
                confirmingOn: Self.confirmationTopic)
            defer { consumer.stop() }
            let acknowledges = confirm != nil
            let silent = try FakeBroker(.takes { _ in acknowledges ? 0 : nil })
            defer { silent.stop() }
            let bench = SinkBench(
                makeSink: { mood in
                    var format = PlainFormat()
                    var port = broker.port
                    switch mood {
                    case .willing: break
                    case .silent: port = silent.port
                    case .refusing(let id): format.oversized = id
                    }
                    return wrap(
                        try Samples.sink(port: port, format: format) {
                            $0.qualityOfService = quality
                            $0.confirm = ignoresConfirmations ? nil : confirm
                        })
                },
                received: { try await received(broker, subscriber) },
                attempts: { try subscriber.messages().count + silent.payloads.count },
                takeDown: { broker.stop() },
                bringUp: { try await broker.restart() })
            let violations = try await SinkLaws(bench, promptness: .seconds(10)).violations()
            broker.stop()
            return violations
        }
    }

    /// What the subscriber has when a message published now has reached it: the broker keeps the order.
    private func received(_ broker: MosquittoBroker, _ subscriber: SubscriberProcess) async throws -> [ReceivedRecord] {
        let barrier = SampleRecords.record(.random(in: 1_000_000..<1_000_000_000))
        let sink = try MQTTSink(
            id: "fleet", configuration: Samples.configuration(port: broker.port) { $0.clientID = "barrier" },
            format: PlainFormat(topic: "fleet/barrier"))
        _ = try await sink.deliver(RecordBatch(records: [barrier]))
        await sink.close()
        try await eventually("the barrier has arrived") {
            try subscriber.messages().contains { $0.payload == barrier.id.description }
        }
        return try subscriber.messages().filter { $0.topic == "fleet/van-7/record" }.compactMap { message in
            RecordID(message.payload).map {
                ReceivedRecord(id: $0, payload: "\(message.payload) \(message.properties)")
            }
        }
    }
}

/// Goes on when it is cancelled, so that what it settles does not depend on who is faster, the broker or the caller.
private struct StubbornSink: FixSink {
    let sink: MQTTSink
    var id: SinkID { sink.id }

    init(_ sink: MQTTSink) { self.sink = sink }

    func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        // Unstructured, so that it is not cancelled with its caller.
        let delivery = Task { () -> Result<Receipt, DeliveryError> in
            do throws(DeliveryError) { return .success(try await sink.deliver(batch)) } catch { return .failure(error) }
        }
        return try await delivery.value.get()
    }

    func close() async { await sink.close() }
}

/// The mutant: it says "settled" as soon as the messages wait in memory, as sinks do that trust their client's queue.
private struct HastySink: FixSink {
    let sink: MQTTSink
    var id: SinkID { sink.id }

    init(_ sink: MQTTSink) { self.sink = sink }

    func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        Task { try await sink.deliver(batch) }  // nobody waits for it: that is the mutation
        return .all(of: batch)
    }

    func close() async { await sink.close() }
}
