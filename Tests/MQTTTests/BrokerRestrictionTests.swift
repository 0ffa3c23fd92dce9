import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("What a client goes without, and how it says so")
struct BrokerRestrictionTests {
    private let batch = RecordBatch(records: SampleRecords.records(count: 2))

    /// A broker that refuses clients with a retained last will, as one without retained messages does.
    @Test
    func `A broker without retained messages is used, without presence`() async throws {
        let broker = try FakeBroker(.takesWithoutWill(refusing: 0x9A))
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port) { $0.availabilityTopic = "fleet/van-7/availability" }
        try await sink.deliverAll(batch.records)
        #expect(broker.payloads == batch.records.map { "\($0.id)" })
        await sink.close()
    }

    /// What mosquitto says of MQTT 3.1.1 to a client that wants something retained is nothing: it ends the connection.
    @Test
    func
        `A broker that refuses retained messages is named by the key that helps, and is used with it, in each version`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var options = MosquittoBroker.Options()
            options.lines = ["retain_available false"]
            let broker = try await MosquittoBroker(in: directory, options)
            for version in [MQTTSink.Configuration.ProtocolVersion.v311, .v5] {
                for retains in [false, true] {
                    let format = PlainFormat(announcements: [
                        MQTTMessage(topic: "discovery/van-7", payload: Array("hello".utf8), isRetained: true)
                    ])
                    let sink = try Samples.sink(port: broker.port, format: format) {
                        $0.availabilityTopic = "fleet/van-7/availability"
                        $0.keepsLast = true
                        $0.protocolVersion = version
                        $0.retains = retains
                    }
                    if version == .v311, retains {
                        let words = "if the broker refuses retained messages, set `retain: false`"
                        #expect(await reasons(of: sink, until: words).last?.contains(words) == true)
                    } else {
                        try await sink.deliverAll(batch.records)
                        #expect(sink.status.connection == .connected)
                    }
                    await sink.close()
                }
            }
        }
    }

    /// As OwnTracks with `lwt`: the last will is not retained, and the positions are.
    @Test
    func `A broker that ends the connection over a retained message is named by the key that helps`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var options = MosquittoBroker.Options()
            options.lines = ["retain_available false"]
            let broker = try await MosquittoBroker(in: directory, options)
            let hello = MQTTMessage(topic: "discovery/van-7", payload: Array("hello".utf8), isRetained: true)
            let sink = try Samples.sink(port: broker.port, format: PlainFormat(announcements: [hello])) {
                $0.protocolVersion = .v311
            }
            let words = "if the broker refuses retained messages, set `retain: false`"
            #expect(await reasons(of: sink, until: words).last?.contains(words) == true)
            await sink.close()
        }
    }

    @Test(
        arguments: [MQTTSink.Configuration.ProtocolVersion.v311, .v5], [true, false])
    func `A broker that closes without a reason on a retained last will or message is asked about, in each version`(
        _ version: MQTTSink.Configuration.ProtocolVersion, _ isWill: Bool
    ) async throws {
        let broker = try FakeBroker(isWill ? .hangsUp : .takesUnretained)
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port) {
            $0.protocolVersion = version
            $0.availabilityTopic = "fleet/van-7/availability"
        }
        let words = "`retain: false`"
        #expect(await reasons(of: sink, until: words).last?.contains(words) == true)
        await sink.close()
    }

    @Test(arguments: [true, false])
    func `A broker that closes and gets nothing retained is not asked about it`(_ isWill: Bool) async throws {
        let broker = try FakeBroker(.hangsUp)
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port) {
            if isWill {
                $0.availabilityTopic = "fleet/van-7/availability"
                $0.retains = false
            }
        }
        for _ in 0..<3 {
            let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
            #expect(error?.reason.contains("retain") == false)
        }
        await sink.close()
    }

    @Test
    func `A broker that has retained a message is not suspected when a connection ends`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let sink = try Samples.sink(port: broker.port) {
                $0.availabilityTopic = "fleet/van-7/availability"
                $0.protocolVersion = .v311
            }
            try await sink.deliverAll(batch.records)
            broker.stop()
            #expect(await sink.nextFailure()?.description.contains("retain") == false)
            await sink.close()
        }
    }

    @Test
    func `A refusal of presence, of an announcement or of the newest record names its topic and harms no record`()
        async throws
    {
        let hello = MQTTMessage(topic: "discovery/van-7", payload: Array("hello".utf8))
        for (refused, topic) in [("online", "fleet/van-7/availability"), ("hello", "discovery/van-7")] {
            let broker = try FakeBroker(.takes { $0 == refused ? 0x87 : 0 })
            defer { broker.stop() }
            let sink = try Samples.sink(port: broker.port, format: PlainFormat(announcements: [hello])) {
                $0.availabilityTopic = "fleet/van-7/availability"
            }
            #expect(try await sink.deliver(batch) == .all(of: batch))
            expectMessage(sink.status.lastRefusal, begin: topic, as: "a refusal of \(topic)")
            await sink.close()
        }
    }

    @Test
    func `A refused newest record names its topic`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var options = MosquittoBroker.Options()
            options.passwords = ["van-7": "secret"]
            options.access = "user van-7\ntopic write fleet/van-7/record\n"
            let broker = try await MosquittoBroker(in: directory, options)
            let sink = try Samples.sink(port: broker.port) {
                $0.username = "van-7"
                $0.password = .text(Secret("secret"))
                $0.keepsLast = true
            }
            #expect(try await sink.deliver(batch) == .all(of: batch))
            await eventually("the refusal") {
                sink.status.lastRefusal == "fleet/van-7/last: not authorized (0x87)"
            }
            await sink.close()
        }
    }

    @Test
    func `A message that is too large silences the topics it came on for a while, and not the records`() async throws {
        let broker = try FakeBroker(.takes { _ in 0 })
        defer { broker.stop() }
        let sink = try MQTTSink(
            id: "fleet",
            configuration: Samples.configuration(port: broker.port) {
                $0.commands = .init(topic: "fleet/van-7/cmd", allowed: [.status])
                $0.sessionExpiry = .seconds(60)
            }, format: PlainFormat(), subscriptionPause: .seconds(1))
        #expect(try await sink.deliver(batch) == .all(of: batch))
        await eventually("subscribed") { broker.subscriptions == 1 }
        broker.say([0x30, 0x80, 0x80, 0x80, 1])
        await eventually("subscribed again") { broker.subscriptions == 2 }
        #expect(broker.connections == 2)
        #expect(sink.status.lastRefusal?.contains("2097157 bytes") == true)
        #expect(try await sink.deliver(batch) == .all(of: batch))
        await sink.close()
    }

    @Test
    func `A client that connects again when that while is over subscribes once`() async throws {
        let broker = try FakeBroker(.takes { _ in 0 })
        defer { broker.stop() }
        let subscriptionPause = Duration.milliseconds(100)
        let sink = try MQTTSink(
            id: "fleet",
            configuration: Samples.configuration(port: broker.port) {
                $0.commands = .init(topic: "fleet/van-7/cmd", allowed: [.status])
            }, format: PlainFormat(), subscriptionPause: subscriptionPause)
        try await sink.deliverAll(batch.records)
        broker.become(.hangsUp)
        broker.say([0x30, 0x80, 0x80, 0x80, 1])
        await eventually("the connection has ended") { sink.failure != nil }
        let end = ContinuousClock.now.advanced(by: subscriptionPause * 2)
        await eventually("the while is over, and an attempt has failed since") {
            ContinuousClock.now > end && broker.connections >= 2
        }
        broker.become(.takes { _ in 0 })
        try await sink.deliverAll(batch.records)
        #expect(broker.subscriptions == 2, "one on each connection")
        await sink.close()
    }

    @Test
    func `Whoever delivers after a password was corrected does not wait for the next attempt`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var options = MosquittoBroker.Options()
            options.passwords = ["van-7": "right"]
            let broker = try await MosquittoBroker(in: directory, options)
            let file = directory + "/password"
            try write("wrong\n", to: file)
            let sink = try Samples.sink(port: broker.port) {
                $0.username = "van-7"
                $0.password = .file(file)
                $0.backoff = Backoff(maximum: .seconds(86_400))
            }
            for _ in 0..<8 {  // each attempt is later than the last: 1 s, 3 s, 7 s …
                let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
                #expect(error?.recovery == .needsOperator)
            }
            try write("right\n", to: file)
            #expect(try await sink.deliver(batch) == .all(of: batch))
            await sink.close()
        }
    }

    @Test(
        arguments: [
            ("IP:127.0.0.1", true, true, "has expired"), ("IP:127.0.0.1", false, false, "not from a trusted authority"),
            ("DNS:other.example", false, true, "for another host"),
        ])
    func `Each thing that is wrong with a certificate has words of its own`(
        _ name: String, _ expired: Bool, _ isTrusted: Bool, _ words: String
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let certificates = try await Certificates(in: directory)
            let server = try await certificates.certificate("server", for: name, expired: expired)
            let broker = try FakeBroker(.takes { _ in 0 })
            let front = try TLSFront(server, before: broker.port)
            defer {
                broker.stop()
                front.stop()
            }
            let sink = try Samples.sink(port: front.port) {
                $0.tls = .init(certificateAuthorityFile: isTrusted ? certificates.authority : nil)
            }
            #expect(await reasons(of: sink, until: words).last?.contains(words) == true)
            await sink.close()
        }
    }

    /// Why deliveries fail, up to the first that fails for this reason, at most forty.
    ///
    /// On one machine the whole handshake may fail inside the library's call that begins to connect, and then nothing
    /// tells why; over a network it does not.
    private func reasons(of sink: MQTTSink, until words: String) async -> [String] {
        var reasons: [String] = []
        while reasons.count < 40, reasons.last?.contains(words) != true {
            do {
                _ = try await sink.deliver(batch)
                reasons.append("delivered")
            } catch {
                reasons.append(error.reason)
            }
        }
        return reasons
    }

    @Test
    func `Plain MQTT to a port for TLS, and the other way round, is asked about`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let certificates = try await Certificates(in: directory)
            let server = try await certificates.certificate("server", for: "IP:127.0.0.1")
            var options = MosquittoBroker.Options()
            options.tls = .init(certificate: server.certificate, key: server.key, clientAuthority: nil)
            let secure = try await MosquittoBroker(in: directory, options)
            let sink = try Samples.sink(port: secure.port)
            let plainly = "is this plain MQTT to a port for TLS?"
            #expect(await reasons(of: sink, until: plainly).last?.contains(plainly) == true)
            await sink.close()

            let plain = try await MosquittoBroker(in: directory)
            let other = try Samples.sink(port: plain.port) {
                $0.tls = .init(certificateAuthorityFile: certificates.authority)
            }
            let securely = "is this TLS to a port for plain MQTT?"
            #expect(await reasons(of: other, until: securely).last?.contains(securely) == true)
            await other.close()
        }
    }

    @Test(arguments: [1, 0x84] as [UInt8])
    func `A broker without MQTT 5 makes the sink name the other version`(_ code: UInt8) async throws {
        let broker = try FakeBroker(.says(code == 1 ? [0x20, 2, 0, 1] : [0x20, 3, 0, code, 0]))
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
        #expect(error?.reason.contains("set `protocol: 3.1.1`") == true)
        await sink.close()
    }

    private func write(_ text: String, to file: String) throws {
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
}
