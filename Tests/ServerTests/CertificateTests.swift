import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer
import TrackEngineSettings

/// TLS as a client of `openssl` sees it.
@Suite("A server with TLS", .timeLimit(.minutes(15)))
struct CertificateTests {
    /// Runs a server whose certificate is for 127.0.0.1.
    private static func with(_ body: @Sendable (ServerBench, Certificates, TLSFiles) async throws -> Void) async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let certificates = try await Certificates(in: folder)
            let (certificate, key) = try await certificates.certificate("first", for: "IP:127.0.0.1")
            var configuration = ServerConfiguration()
            configuration.tls.certificate = certificate
            configuration.tls.key = key
            let files = configuration.tls
            try await ServerBench.with(configuration) { try await body($0, certificates, files) }
        }
    }

    /// What the client says of a handshake.
    private static func handshake(_ bench: ServerBench, _ arguments: String...) async throws -> String {
        let client = try ChildProcess(
            "/usr/bin/openssl", ["s_client", "-connect", "127.0.0.1:\(bench.port)"] + arguments)
        _ = await client.exit()
        return client.text
    }

    @Test func `TLS 1.2 and 1.3 with AEAD are spoken, and nothing older or weaker`() async throws {
        try await Self.with { bench, certificates, _ in
            let trusted = ["-CAfile", certificates.authority, "-verify_return_error"]
            for version in ["-tls1_2", "-tls1_3"] {
                let said = try await Self.handshake(bench, version, trusted[0], trusted[1], trusted[2])
                #expect(said.contains("Verify return code: 0") && said.contains("GCM"), "\(said)")
            }
            for version in ["-tls1", "-tls1_1"] {
                let said = try await Self.handshake(bench, version, "-cipher", "ALL:@SECLEVEL=0")
                #expect(said.contains("Cipher is (NONE)"), "\(said)")
            }
            for suite in ["ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384"] {
                let said = try await Self.handshake(bench, "-tls1_2", "-cipher", suite)
                #expect(said.contains("Cipher is (NONE)"), "\(said)")
            }
        }
    }

    @Test func `browsers are told to come with TLS for a year`() async throws {
        try await Self.with { bench, certificates, _ in
            let request = #"GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"#
            let client = try ChildProcess(
                "/bin/sh",
                [
                    "-c", #"printf "$0" | openssl s_client -quiet -connect "$1" -CAfile "$2""#, request,
                    "127.0.0.1:\(bench.port)", certificates.authority,
                ])
            _ = await client.exit()
            let said = client.text.lowercased()
            #expect(said.contains("http/1.1 200") && said.contains("strict-transport-security: max-age=31536000\r\n"))
        }
    }

    @Test func `files that change are read again, and others that do not fit leave what was before`() async throws {
        try await Self.with { bench, certificates, files in
            let before = try await Self.handshake(bench)
            #expect(before.contains("CN=first") || before.contains("CN = first"), "\(before)")
            let (certificate, key) = try await certificates.certificate("second", for: "IP:127.0.0.1")
            try Self.replace(files.certificate, by: certificate)
            let between = try await Self.handshake(bench)
            #expect(between.contains("CN=first") || between.contains("CN = first"), "\(between)")
            try Self.replace(files.key, by: key)
            let after = try await Self.handshake(bench)
            #expect(after.contains("CN=second") || after.contains("CN = second"), "\(after)")
        }
    }

    private static func replace(_ path: String?, by other: String, mode: Int = 0o600) throws {
        let path = try #require(path)
        try Data(contentsOf: URL(fileURLWithPath: other)).write(to: URL(fileURLWithPath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `a key that others could read is used when its permissions alone have changed`() async throws {
        try await Self.with { bench, certificates, files in
            let (certificate, key) = try await certificates.certificate("second", for: "IP:127.0.0.1")
            try Self.replace(files.key, by: key, mode: 0o644)
            try Self.replace(files.certificate, by: certificate)
            let before = try await Self.handshake(bench)
            #expect(before.contains("CN=first") || before.contains("CN = first"), "\(before)")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: try #require(files.key))
            let after = try await Self.handshake(bench)
            #expect(after.contains("CN=second") || after.contains("CN = second"), "\(after)")
        }
    }

    @Test func `a pipe in the place of either file is not read, and leaves what was before`() async throws {
        try await Self.with { bench, _, files in
            for path in [try #require(files.certificate), try #require(files.key)] {
                try FileManager.default.moveItem(atPath: path, toPath: path + ".before")
                #expect(mkfifo(path, 0o600) == 0)
                let during = try await Self.handshake(bench)
                #expect(during.contains("CN=first") || during.contains("CN = first"), "\(during)")
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.moveItem(atPath: path + ".before", toPath: path)
            }
        }
    }
}
