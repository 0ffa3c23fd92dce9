import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT

@Suite("The MQTT sink's configuration")
struct ConfigurationTests {
    private func problems(
        id: SinkID = "fleet", _ change: (inout MQTTSink.Configuration) -> Void
    ) -> [ConfigurationProblem] {
        do throws(ConfigurationError) {
            _ = try MQTTSink(id: id, configuration: Samples.configuration(change), format: PlainFormat())
            return []
        } catch { return error.problems }
    }

    private static let mistakes: [(String, @Sendable (inout MQTTSink.Configuration) -> Void)] = [
        ("host", { ($0.host, $0.allowInsecure) = ("mqtt://broker", true) }),
        ("host", { ($0.host, $0.allowInsecure) = ("", true) }),
        ("port", { $0.port = 0 }), ("port", { $0.port = 65_536 }), ("tls", { $0.host = "broker.example" }),
        ("clientID", { $0.clientID = "" }), ("clientID", { $0.clientID = "a\nb" }), ("username", { $0.username = "" }),
        ("password", { $0.password = .text(Secret("x")) }),
        ("password", { ($0.username, $0.password) = ("van-7", .text(Secret(""))) }),
        ("password", { ($0.username, $0.password) = ("van-7", .file("/nonexistent")) }),
        ("password", { ($0.username, $0.password) = ("van-7", .credential("/nonexistent")) }),
        ("tls.certificateAuthorityFile", { $0.tls = .init(certificateAuthorityFile: "/nonexistent") }),
        ("tls.certificateFile", { $0.tls = .init(certificateFile: "/etc/hostname") }),
        ("tls.keyFile", { $0.tls = .init(keyFile: "/etc/hostname") }),
        ("keepAlive", { $0.keepAlive = .seconds(4) }), ("sessionExpiry", { $0.sessionExpiry = .seconds(-1) }),
        ("connectTimeout", { $0.connectTimeout = .zero }),
        ("acknowledgementTimeout", { $0.acknowledgementTimeout = .seconds(601) }),
        ("backoff.maximum", { $0.backoff.maximum = .zero }), ("inFlight", { $0.inFlight = 0 }),
        ("inFlight", { $0.inFlight = 21 }), ("availabilityTopic", { $0.availabilityTopic = "a/+/b" }),
        ("commands.topic", { $0.commands = .init(topic: "#", allowed: [.report]) }),
        ("commands.allowed", { $0.commands = .init(topic: "cmd", allowed: []) }),
    ]

    @Test(arguments: mistakes.indices)
    func `Each wrong value is named by its key, and nothing else is`(_ index: Int) {
        #expect(problems(Self.mistakes[index].1).map(\.key) == [Self.mistakes[index].0])
    }

    @Test
    func `A sink has a name`() {
        #expect(problems(id: "") { _ in }.map(\.key) == ["id"])
    }

    @Test
    func `Everything that is wrong is told at once, and no secret with it`() {
        let problems = problems {
            $0.host = "broker.example"
            $0.inFlight = 99
            $0.password = .text(Secret("hunter2"))
        }
        #expect(problems.map(\.key).sorted() == ["inFlight", "password", "tls"])
        #expect(!"\(ConfigurationError(problems: problems))".contains("hunter2"))
    }

    @Test
    func `MQTT in the clear goes to this machine, and elsewhere only when that is allowed`() {
        for host in ["localhost", "127.0.0.1", "127.8.9.10", "::1"] { #expect(problems { $0.host = host }.isEmpty) }
        for host in ["10.0.0.1", "127.0.0.1.example", "broker"] {
            #expect(problems { $0.host = host }.map(\.key) == ["tls"])
            #expect(
                problems {
                    $0.host = host
                    $0.allowInsecure = true
                }.isEmpty)
        }
    }

    @Test
    func `A password file that others may read is refused, a credential that systemd looks after is not`() async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let file = directory + "/password"
            try "secret\n".write(toFile: file, atomically: false, encoding: .utf8)
            for (mode, expected) in [(0o640, ["password"]), (0o600, [])] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
                #expect(problems { ($0.username, $0.password) = ("van-7", .file(file)) }.map(\.key) == expected)
                #expect(problems { ($0.username, $0.password) = ("van-7", .credential(file)) } == [])
            }
        }
    }

    @Test(
        arguments: [
            ("fleet/van-7", true), ("", false), ("a/#", false), ("+", false), ("a\u{0}b", false),
            ("$SYS/broker", false),
            (String(repeating: "x", count: 513), false),
        ])
    func `Topics are checked for what brokers would take for something else`(_ topic: String, _ isValid: Bool) {
        #expect(TopicName.isValid(topic) == isValid)
    }

    @Test
    func `The description says where to, and nothing secret`() {
        let configuration = Samples.configuration {
            ($0.username, $0.password) = ("van-7", .text(Secret("hunter2")))
        }
        #expect("\(configuration)" == "mqtt://127.0.0.1:1883")
    }
}
