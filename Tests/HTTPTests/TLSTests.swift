import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("TLS to a real receiver", .serialized)
struct TLSTests {
    private let batch = RecordBatch(records: SampleRecords.records(count: 2))

    /// Runs a receiver with a certificate for `name` and delivers a batch to it.
    private func outcome(
        certificateFor name: String = "IP:127.0.0.1", expired: Bool = false, asksForCertificate: Bool = false,
        _ change: (inout OverlandSink.Configuration, Certificates, (certificate: String, key: String)) -> Void
    ) async throws -> (Result<Receipt, DeliveryError>, stored: Int) {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let certificates = try await Certificates(in: directory)
            let server = try await certificates.certificate("server", for: name, expired: expired)
            let client = try await certificates.certificate("client", for: "DNS:van-7")
            let receiver = try await ReceiverProcess(
                log: directory + "/log",
                tls: .init(
                    certificate: server.certificate, key: server.key,
                    clientAuthority: asksForCertificate ? certificates.authority : nil))
            var configuration = Samples.configuration(receiver.url("/ok"))
            change(&configuration, certificates, client)
            let sink = try OverlandSink(id: "home", configuration: configuration)
            let result: Result<Receipt, DeliveryError>
            do throws(DeliveryError) { result = .success(try await sink.deliver(batch)) } catch {
                result = .failure(error)
            }
            await sink.close()
            receiver.stop()
            return (result, try receiver.records().count)
        }
    }

    private func reason(_ result: Result<Receipt, DeliveryError>, _ recovery: DeliveryError.Recovery) -> String {
        guard case .failure(let error) = result else { return "settled" }
        return error.recovery == recovery ? error.reason : "\(error.recovery): \(error.reason)"
    }

    @Test func `our own authority is trusted`() async throws {
        let (result, stored) = try await outcome { configuration, certificates, _ in
            configuration.tls.certificateAuthorityFile = certificates.authority
        }
        #expect(result == .success(Receipt(settled: 2)))
        #expect(stored == 2)
    }

    @Test func `an unknown authority is not`() async throws {
        let (result, stored) = try await outcome { _, _, _ in }
        #expect(reason(result, .retry()).hasSuffix("the certificate is not to be trusted"))
        #expect(stored == 0)
    }

    @Test func `a certificate for another host is not`() async throws {
        let (result, stored) = try await outcome(certificateFor: "DNS:other.example") {
            configuration, certificates, _ in
            configuration.tls.certificateAuthorityFile = certificates.authority
        }
        #expect(reason(result, .retry()).contains("certificate"))
        #expect(stored == 0)
    }

    @Test func `an expired certificate is not`() async throws {
        let (result, stored) = try await outcome(expired: true) { configuration, certificates, _ in
            configuration.tls.certificateAuthorityFile = certificates.authority
        }
        #expect(reason(result, .retry()).hasSuffix("the certificate is not to be trusted"))
        #expect(stored == 0)
    }

    @Test func `a receiver that asks for our certificate gets it`() async throws {
        let (result, stored) = try await outcome(asksForCertificate: true) { configuration, certificates, client in
            configuration.tls = .init(
                certificateAuthorityFile: certificates.authority, certificateFile: client.certificate,
                keyFile: client.key)
        }
        #expect(result == .success(Receipt(settled: 2)))
        #expect(stored == 2)
    }

    @Test func `a receiver that asks for a certificate we do not have pauses the sink`() async throws {
        let (result, stored) = try await outcome(asksForCertificate: true) { configuration, certificates, _ in
            configuration.tls.certificateAuthorityFile = certificates.authority
        }
        #expect(reason(result, .needsOperator).hasSuffix("the receiver wants another client certificate"))
        #expect(stored == 0)
    }

    @Test func `TLS to a port without it ends in a retry`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            let sink = try OverlandSink(
                id: "home", configuration: Samples.configuration("https://127.0.0.1:\(receiver.port)/ok"))
            let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
            await sink.close()
            receiver.stop()
            if case .retry(_, evidence: nil) = error?.recovery {} else { Issue.record("\(String(describing: error))") }
        }
    }

    @Test func `a key that others may read is refused`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let client = try await Certificates(in: directory).certificate("client", for: "DNS:van-7")
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: client.key)
            var configuration = Samples.configuration("https://example.org/")
            configuration.tls = .init(certificateFile: client.certificate, keyFile: client.key)
            let error = #expect(throws: ConfigurationError.self) {
                try OverlandSink(id: "home", configuration: configuration)
            }
            #expect(error?.problems.map(\.key) == ["tls.keyFile"])
        }
    }
}
