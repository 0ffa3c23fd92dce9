import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("TLS that changes, or is too old")
struct RenewalTests {
    private let batch = RecordBatch(records: SampleRecords.records(count: 2))

    @Test
    func `A client certificate that is replaced on disk is used from the next connection on`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let certificates = try await Certificates(in: directory)
            let server = try await certificates.certificate("server", for: "IP:127.0.0.1")
            let old = try await certificates.certificate("old", for: "DNS:van-7", expired: true)
            let renewed = try await certificates.certificate("renewed", for: "DNS:van-7")
            var options = MosquittoBroker.Options()
            options.tls = .init(
                certificate: server.certificate, key: server.key, clientAuthority: certificates.authority)
            let broker = try await MosquittoBroker(in: directory, options)
            let sink = try Samples.sink(port: broker.port) {
                $0.tls = .init(
                    certificateAuthorityFile: certificates.authority, certificateFile: old.certificate, keyFile: old.key
                )
            }
            // The first attempt, and whatever is tried while the files are replaced one after the other.
            await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
            #expect(sink.status.acknowledged == 0)
            try replace(old.key, by: renewed.key)
            try replace(old.certificate, by: renewed.certificate)
            await eventually("let in") {
                do throws(DeliveryError) { return try await sink.deliver(batch) == .all(of: batch) } catch {
                    return false
                }
            }
            await sink.close()
            broker.stop()
        }
    }

    private func replace(_ file: String, by other: String) throws {
        guard rename(other, file) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    @Test(
        arguments: [("-tls1_1", .tls), ("-tls1_2", .connectionLost)] as [(String, MQTTFailure.Kind)])
    func `TLS 1.1 is refused; the same server with TLS 1.2 is spoken to, and then hangs up`(
        _ version: String, _ kind: MQTTFailure.Kind
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let certificates = try await Certificates(in: directory)
            let files = try await certificates.certificate("server", for: "IP:127.0.0.1")
            let (server, port) = try await serve(version, files)
            let sink = try Samples.sink(port: port.number) {
                $0.tls = .init(certificateAuthorityFile: certificates.authority)
                $0.connectTimeout = .seconds(30)
                $0.backoff = Backoff(maximum: .seconds(60))
            }
            let upkeep = Task { try await sink.run() }
            #expect(await sink.nextFailure()?.kind == kind, "openssl says: \(server.text)")
            upkeep.cancel()
            await sink.close()
            server.killNow()
        }
    }

    @Test
    func `A broker that wants to shake hands again is refused: what comes behind it would not be examined`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let certificates = try await Certificates(in: directory)
            let server = try await certificates.certificate("server", for: "IP:127.0.0.1")
            let broker = try FakeBroker(.takes { _ in 0 })
            let front = try TLSFront(server, before: broker.port, renegotiates: true)
            defer {
                broker.stop()
                front.stop()
            }
            let sink = try Samples.sink(port: front.port) {
                $0.tls = .init(certificateAuthorityFile: certificates.authority)
            }
            let upkeep = Task { try await sink.run() }
            await eventually("an answer") { front.refused + front.again > 0 }
            #expect(front.refused > 0 && front.again == 0)
            upkeep.cancel()
            await sink.close()
        }
    }

    /// OpenSSL's own server, which takes nothing but one version of TLS, on a port of its own.
    private func serve(
        _ version: String, _ files: (certificate: String, key: String)
    ) async throws -> (ChildProcess, port: ReservedPort) {
        let port = try ReservedPort()
        let server = try ChildProcess(
            "/usr/bin/openssl",
            ["s_server", version, "-cipher", "DEFAULT@SECLEVEL=0", "-accept", "127.0.0.1:\(port.number)"]
                + ["-cert", files.certificate, "-key", files.key, "-quiet"])
        try await server.ready { LoopbackSocket.accepts(at: .ipv4(port.number)) }
        return (server, port)
    }
}
