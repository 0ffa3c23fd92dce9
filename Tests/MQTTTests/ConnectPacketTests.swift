import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("What the client says in CONNECT")
struct ConnectPacketTests {
    private func connect(_ change: (inout MQTTSink.Configuration) -> Void = { _ in }) async throws -> ConnectPacket {
        let broker = try FakeBroker(.takes { _ in 0 })
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port, change)
        _ = try await sink.deliver(RecordBatch(records: SampleRecords.records(count: 1)))
        await sink.close()
        return try #require(broker.connects.first)
    }

    @Test
    func `By default a clean start of MQTT 5, a session that ends with the connection, and the client's own limits`()
        async throws
    {
        let packet = try await connect()
        #expect(packet.version == 5)
        #expect(packet.clientID == "van-7")
        #expect(packet.isClean)
        #expect(packet.keepAlive == 60)
        #expect(packet.properties[ConnectPacket.sessionExpiry] == 0)
        #expect(packet.properties[ConnectPacket.maximumPacketSize] == 65_536)
        #expect((1...20).contains(packet.properties[ConnectPacket.receiveMaximum] ?? 65_535))
        #expect(!packet.hasWill && !packet.hasUsername && !packet.hasPassword)
    }

    @Test
    func `A session that shall be kept is asked for, with its time, and is not begun anew`() async throws {
        let packet = try await connect {
            $0.sessionExpiry = .seconds(86_400)
            $0.keepAlive = .seconds(17)
        }
        #expect(!packet.isClean)
        #expect(packet.properties[ConnectPacket.sessionExpiry] == 86_400)
        #expect(packet.keepAlive == 17)
    }

    @Test
    func `The last will is retained and acknowledged, and name and password are there`() async throws {
        let packet = try await connect {
            $0.availabilityTopic = "fleet/van-7/availability"
            $0.username = "van-7"
            $0.password = .text(Secret("secret"))
        }
        #expect(packet.hasWill && packet.isWillRetained)
        #expect(packet.willQualityOfService == 1)
        #expect(packet.hasUsername && packet.hasPassword)
    }

    @Test(arguments: [0, 86_400])
    func `MQTT 3.1.1 has no properties, and a session is clean or not`(_ expiry: Int) async throws {
        let broker = try FakeBroker(.says([0x20, 2, 0, 0]))
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port) {
            $0.protocolVersion = .v311
            $0.sessionExpiry = .seconds(expiry)
        }
        let upkeep = Task { try await sink.run() }
        await eventually("connected") { sink.status.connection == .connected }
        upkeep.cancel()
        await sink.close()
        let packet = try #require(broker.connects.first)
        #expect(packet.version == 4)
        #expect(packet.isClean == (expiry == 0))
        #expect(packet.properties.isEmpty)
    }
}
