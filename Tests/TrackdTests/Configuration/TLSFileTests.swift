import Foundation
import TestSupport
import Testing
import TrackEngineAgent
import TrackEngineSettings

/// Files for TLS that no connection can use: `check` finds them, whatever library a sink has.
@Suite(.timeLimit(.minutes(30))) struct TLSFileTests {
    /// The keys of the sinks that a check refuses, with what was expected.
    private func refusals(_ sink: String, _ tls: String) async throws -> [String] {
        let yaml = "sinks: [{type: \(sink), name: s, tls: {\(tls)}}]"
        let configuration = try Given.configuration(yaml, options: ["store.path=/tmp/no-store-of-this-test"])
        do throws(AgentConfigurationError) {
            try await ConfigurationTrial(configuration, environment: [:]).run()
            return []
        } catch {
            return error.problems.map { Self.keyAndExpectation($0.description) }
        }
    }

    private static func keyAndExpectation(_ problem: String) -> String {
        let words: [Substring] = problem.split(separator: " ", maxSplits: 2)
        let expectation: String = problem.components(separatedBy: ": expected ").last ?? ""
        return words.count < 2 ? problem : String(words[1]) + " " + expectation
    }

    private static let sinks = [
        "overland, url: 'https://x'", "osmand, url: 'https://x'", "owntracks, url: 'https://x'",
        "http, preset: dawarich, url: 'https://x'",
        "mqtt, url: 'mqtts://x'",
    ]

    @Test(arguments: sinks) func `authorities are certificates in a file`(_ sink: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let certificates = try await Certificates(in: folder)
            #expect(try await refusals(sink, "ca: \(certificates.authority)") == [])
            try Data("no certificate\n".utf8).write(to: URL(fileURLWithPath: folder + "/text"))
            try Data().write(to: URL(fileURLWithPath: folder + "/empty"))
            #expect(mkfifo(folder + "/pipe", 0o600) == 0)
            for name in ["text", "empty", "pipe", "nothing", ""] {
                let found = try await refusals(sink, "ca: \(folder)/\(name)")
                #expect(
                    found == ["sinks.s.tls.ca a readable PEM file with at least one certificate"],
                    "\(name): \(found)")
            }
        }
    }

    @Test(arguments: sinks) func `a certificate and its key belong to each other`(_ sink: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let certificates = try await Certificates(in: folder)
            let own = try await certificates.certificate("own", for: "DNS:own")
            let other = try await certificates.certificate("other", for: "DNS:other")
            #expect(mkfifo(folder + "/pipe", 0o600) == 0)
            func refusals(_ certificate: String, _ key: String) async throws -> [String] {
                try await self.refusals(sink, "certificate: \(certificate), key: \(key)")
            }
            #expect(try await refusals(own.certificate, own.key) == [])
            #expect(
                try await refusals(own.certificate, other.key) == [
                    "sinks.s.tls.key the private key of the certificate"
                ])
            for key in [own.certificate, folder + "/pipe"] {
                let found = try await refusals(own.certificate, key)
                #expect(found.count == 1 && found[0].hasPrefix("sinks.s.tls.key "), "\(found)")
            }
            #expect(
                try await refusals(own.key, own.key) == [
                    "sinks.s.tls.certificate a readable PEM file with at least one certificate"
                ])
        }
    }

    @Test func `a server's certificate and key are files that it can use, and the key its owner's alone`() async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let certificates = try await Certificates(in: folder)
            let own = try await certificates.certificate("own", for: "DNS:own")
            let other = try await certificates.certificate("other", for: "DNS:other")
            try Data("no PEM\n".utf8).write(to: URL(fileURLWithPath: folder + "/text"))
            let open = folder + "/open.key"
            try FileManager.default.copyItem(atPath: own.key, toPath: open)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: open)
            let wrong: [(certificate: String, key: String, refusals: [String])] = [
                (own.certificate, own.key, []),
                (folder + "/nothing", own.key, ["certificate a file with a certificate in PEM form"]),
                (folder + "/text", own.key, ["certificate a file with a certificate in PEM form"]),
                (own.certificate, folder + "/nothing", ["key a file that exists and can be read"]),
                (own.certificate, open, ["key a file that its owner alone may read"]),
                (own.certificate, other.key, ["key the certificate's private key in PEM form"]),
                (own.certificate, own.certificate, ["key the certificate's private key in PEM form"]),
            ]
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: own.certificate)
            for files in wrong {
                let found = try await refusals(
                    "server, directory: \(folder)/server", "certificate: \(files.certificate), key: \(files.key)")
                #expect(found == files.refusals.map { "sinks.s.tls." + $0 }, "\(files)")
            }
        }
    }
}
