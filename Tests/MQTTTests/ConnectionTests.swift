import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("Connections that do not come about")
struct ConnectionTests {
    private let batch = RecordBatch(records: SampleRecords.records(count: 1))

    /// Delivers to a broker and answers how that failed, and the state after it; the sink must close within 5 s.
    private func failure(
        port: Int, _ change: (inout MQTTSink.Configuration) -> Void = { _ in }
    ) async throws -> (DeliveryError?, MQTTFailure?) {
        let sink = try Samples.sink(port: port) {
            $0.connectTimeout = .seconds(20)
            $0.backoff = Backoff(maximum: .seconds(60))
            change(&$0)
        }
        let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
        let failure = await sink.nextFailure()
        await sink.expectToClose()
        return (error, failure)
    }

    @Test(
        arguments: [
            (0x80, .brokerUnavailable), (0x81, .protocolError), (0x82, .protocolError), (0x83, .brokerUnavailable),
            (0x84, .rejected), (0x85, .rejected), (0x86, .badCredentials), (0x87, .notAuthorized),
            (0x88, .brokerUnavailable), (0x89, .brokerUnavailable), (0x8A, .notAuthorized), (0x8C, .badCredentials),
            (0x90, .rejected), (0x95, .rejected), (0x97, .brokerUnavailable), (0x99, .rejected), (0x9A, .rejected),
            (0x9B, .rejected), (0x9C, .brokerUnavailable), (0x9D, .brokerUnavailable), (0x9F, .brokerUnavailable),
        ] as [(UInt8, MQTTFailure.Kind)])
    func `Each refusal of MQTT 5 has its kind`(_ code: UInt8, _ kind: MQTTFailure.Kind) async throws {
        let broker = try FakeBroker(.says([0x20, 3, 0, code, 0]))
        defer { broker.stop() }
        let (error, failure) = try await failure(port: broker.port)
        #expect(failure?.kind == kind)
        #expect(failure?.code == code)
        #expect((error?.recovery == .needsOperator) == (failure?.needsPerson == true))
    }

    @Test(
        arguments: [
            (1, .rejected), (2, .rejected), (3, .brokerUnavailable), (4, .badCredentials), (5, .notAuthorized),
        ] as [(UInt8, MQTTFailure.Kind)])
    func `Each refusal of MQTT 3.1.1 has its kind`(_ code: UInt8, _ kind: MQTTFailure.Kind) async throws {
        let broker = try FakeBroker(.says([0x20, 2, 0, code]))
        defer { broker.stop() }
        let (_, failure) = try await failure(port: broker.port) { $0.protocolVersion = .v311 }
        #expect(failure?.kind == kind)
    }

    @Test
    func `A broker that accepts and says nothing is a time-out`() async throws {
        let broker = try FakeBroker(.silent)
        defer { broker.stop() }
        let (error, failure) = try await failure(port: broker.port) { $0.connectTimeout = .seconds(3) }
        #expect(failure?.kind == .timedOut)
        guard case .retry(_, evidence: nil) = error?.recovery else { return #expect(error == nil) }
    }

    @Test
    func `A broker that hangs up is a lost connection`() async throws {
        let broker = try FakeBroker(.hangsUp)
        defer { broker.stop() }
        #expect(try await failure(port: broker.port).1?.kind == .connectionLost)
    }

    @Test
    func `Something that speaks no MQTT is a protocol error`() async throws {
        let broker = try FakeBroker(.says(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)))
        defer { broker.stop() }
        let kind = try await failure(port: broker.port) { $0.connectTimeout = .seconds(3) }.1?.kind
        #expect(kind == .protocolError || kind == .timedOut)
    }

    @Test
    func `A broker without quality of service 1 is not used for it`() async throws {
        let broker = try FakeBroker(.takes(properties: [0x24, 0]) { _ in 0 })
        defer { broker.stop() }
        #expect(try await failure(port: broker.port).1?.kind == .rejected)
    }

    @Test
    func `A port where nobody listens is unreachable`() async throws {
        let place = try RefusingPort()
        #expect(try await failure(port: place.number).1?.kind == .unreachable)
        withExtendedLifetime(place) {}
    }

    @Test
    func `A name that does not exist is a failed lookup`() async throws {
        let (_, failure) = try await failure(port: 1883) {
            $0.host = "broker.invalid"  // RFC 6761 section 6.4: never resolves
            $0.allowInsecure = true
        }
        #expect(failure?.kind == .nameLookup)
    }

    @Test
    func `Attempts go on for ever, and succeed once the broker lets the client in`() async throws {
        let broker = try FakeBroker(.says([0x20, 3, 0, 0x88, 0]))
        defer { broker.stop() }
        let sink = try Samples.sink(port: broker.port)
        let upkeep = Task { try await sink.run() }
        await eventually("five attempts") { broker.connections >= 5 }
        broker.become(.takes { _ in 0 })
        await eventually("connected") { sink.status.connection == .connected }
        upkeep.cancel()
        await sink.close()
    }

    @Test
    func `A sink that never had anything to do, or is closed twice, closes at once`() async throws {
        let sink = try Samples.sink(port: 1)
        await sink.close()
        await sink.close()
        let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
        expectMessage(error?.reason)
    }

    @Test
    func `A wrong password is told apart from a network that fails, and its file is read again`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var options = MosquittoBroker.Options()
            options.passwords = ["van-7": "right"]
            let broker = try await MosquittoBroker(in: directory, options)
            let file = directory + "/password"
            try write("wrong\n", to: file)
            let sink = try Samples.sink(port: broker.port) {
                $0.username = "van-7"
                $0.password = .file(file)
            }
            let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
            #expect(error?.recovery == .needsOperator)
            try write("right\n", to: file)
            await eventually("in") {
                do throws(DeliveryError) { return try await sink.deliver(batch) == .all(of: batch) } catch {
                    return false
                }
            }
            await sink.close()
        }
    }

    private func write(_ text: String, to file: String) throws {
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
}
