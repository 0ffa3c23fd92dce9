import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

/// A broker that says what ends libmosquitto 2.0.11, and with it the process, or makes it take all memory.
@Suite("A broker that says what no broker may")
struct HostileBrokerTests {
    enum Way: CaseIterable {
        case plain, tls
    }

    private let batch = RecordBatch(records: SampleRecords.records(count: 3))

    /// A sink, in the clear or through TLS, for a broker that begins in some manner. It has time enough on the busiest
    /// machine: a delivery that fails, fails by what the broker says.
    private func withSink(
        _ way: Way, _ manner: FakeBroker.Manner, _ body: (FakeBroker, MQTTSink) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try FakeBroker(manner)
            defer { broker.stop() }
            guard way == .tls else {
                let sink = try Samples.sink(port: broker.port) { $0.acknowledgementTimeout = .seconds(300) }
                try await body(broker, sink)
                return await sink.close()
            }
            let certificates = try await Certificates(in: directory)
            let front = try TLSFront(
                try await certificates.certificate("server", for: "IP:127.0.0.1"), before: broker.port)
            defer { front.stop() }
            let sink = try Samples.sink(port: front.port) {
                $0.tls = .init(certificateAuthorityFile: certificates.authority)
                $0.connectTimeout = .seconds(60)
                $0.acknowledgementTimeout = .seconds(300)
            }
            try await body(broker, sink)
            await sink.close()
        }
    }

    /// The sink delivers everything once the broker has become sane.
    private func expectRecovery(_ broker: FakeBroker, _ sink: MQTTSink) async {
        broker.become(.takes { _ in 0 })
        await eventually("everything is delivered") {
            do throws(DeliveryError) { return try await sink.deliver(batch) == .all(of: batch) } catch { return false }
        }
    }

    @Test(arguments: Way.allCases)
    func `An unknown property of CONNACK ends the connection and not the process`(_ way: Way) async throws {
        try await withSink(way, .says([0x20, 5, 0, 0, 2, 0x7F, 0])) { broker, sink in
            await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
            let failure = await sink.nextFailure()
            #expect(failure?.kind == .protocolError)
            #expect(failure?.description.contains("CONNACK") == true)
            await expectRecovery(broker, sink)
        }
    }

    @Test(
        arguments: Way.allCases,
        [
            [0x30, 6, 0, 1, 0x61, 2, 0x7F, 0], [0x40, 6, 0, 1, 0, 2, 0x7F, 0], [0x90, 6, 0, 1, 2, 0x7F, 0, 0],
            [0xE0, 4, 0, 2, 0x7F, 0],
        ] as [[UInt8]])
    func `An unknown property of another packet ends the connection and not the process`(_ way: Way, _ packet: [UInt8])
        async throws
    {
        try await withSink(way, .takes { _ in nil }) { broker, sink in
            let delivery = Task { try await sink.deliver(batch) }
            await eventually("connected") { broker.payloads.count == 3 }
            broker.say(packet)
            let error = await #expect(throws: DeliveryError.self) { try await delivery.value }
            #expect(error?.reason.contains("the broker's reply is not MQTT") == true, "\(error?.reason ?? "none")")
            await expectRecovery(broker, sink)
        }
    }

    @Test(arguments: Way.allCases)
    func `A message of 260 MB is refused when its length is known`(_ way: Way) async throws {
        try await withSink(way, .takes { _ in nil }) { broker, sink in
            let delivery = Task { try await sink.deliver(batch) }
            await eventually("connected") { broker.payloads.count == 3 }
            broker.say([0x30, 0xFF, 0xFF, 0xFF, 0x7F])  // 268 435 455 bytes, and none of them
            let error = await #expect(throws: DeliveryError.self) { try await delivery.value }
            #expect(error?.reason.contains("268435460 bytes") == true, "\(error?.reason ?? "none")")
            await expectRecovery(broker, sink)
        }
    }
}
