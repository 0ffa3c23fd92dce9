import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("TLS to a real broker")
struct TLSTests {
    private let batch = RecordBatch(records: SampleRecords.records(count: 2))

    private func outcome(
        certificateFor name: String = "IP:127.0.0.1", expired: Bool = false, asksForCertificate: Bool = false,
        _ change: (inout MQTTSink.Configuration.TLSOptions, Certificates, (certificate: String, key: String)) -> Void
    ) async throws -> (Result<Receipt, DeliveryError>, MQTTFailure.Kind?) {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let certificates = try await Certificates(in: directory)
            let server = try await certificates.certificate("server", for: name, expired: expired)
            let client = try await certificates.certificate("client", for: "DNS:van-7")
            var options = MosquittoBroker.Options()
            options.tls = .init(
                certificate: server.certificate, key: server.key,
                clientAuthority: asksForCertificate ? certificates.authority : nil)
            let broker = try await MosquittoBroker(in: directory, options)
            var tls = MQTTSink.Configuration.TLSOptions(certificateAuthorityFile: certificates.authority)
            change(&tls, certificates, client)
            let sink = try Samples.sink(port: broker.port) {
                $0.tls = tls
                $0.backoff = Backoff(maximum: .seconds(60))
            }
            let result: Result<Receipt, DeliveryError>
            do throws(DeliveryError) { result = .success(try await sink.deliver(batch)) } catch {
                result = .failure(error)
            }
            var kind: MQTTFailure.Kind?
            if case .failure = result { kind = await sink.nextFailure()?.kind }
            await sink.close()
            broker.stop()
            return (result, kind)
        }
    }

    @Test
    func `Our own authority is trusted`() async throws {
        #expect(try await outcome { _, _, _ in }.0 == .success(Receipt(settled: 2)))
    }

    @Test
    func `An unknown authority is not, and a person is asked for`() async throws {
        let (result, kind) = try await outcome { tls, _, _ in tls.certificateAuthorityFile = nil }
        #expect(kind == .certificate)
        #expect(#expect(throws: DeliveryError.self) { try result.get() }?.recovery == .needsOperator)
    }

    @Test(arguments: ["DNS:other.example", "IP:127.0.0.2"])
    func `A certificate for another host is not`(_ name: String) async throws {
        #expect(try await outcome(certificateFor: name) { _, _, _ in }.1 == .certificate)
    }

    @Test
    func `An expired certificate is not`() async throws {
        #expect(try await outcome(expired: true) { _, _, _ in }.1 == .certificate)
    }

    @Test
    func `A broker that asks for a certificate gets ours`() async throws {
        let (result, _) = try await outcome(asksForCertificate: true) { tls, _, client in
            tls.certificateFile = client.certificate
            tls.keyFile = client.key
        }
        #expect(result == .success(Receipt(settled: 2)))
    }

    @Test
    func `Without the certificate it asks for, the broker does not let us in`() async throws {
        let (result, _) = try await outcome(asksForCertificate: true) { _, _, _ in }
        #expect(throws: DeliveryError.self) { try result.get() }
    }
}
