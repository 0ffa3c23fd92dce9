import Foundation
import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineSettings

@Suite("Sinks from JSON, without an agent", .timeLimit(.minutes(15)))
struct SinksFromJSONTests {
    private static func sinks(_ json: String) throws(ConfigurationError) -> [SinkBinding] {
        let context = PluginContext(device: "van-7", logger: Logger(label: "test"), programVersion: "1")
        return try SinkBinding.sinks(json: json.utf8, of: [MQTTSink.plugin], context)
    }

    private static func keys(_ json: String) -> [String] {
        do throws(ConfigurationError) { return try sinks(json).map { "sink \($0.sink.id)" } } catch {
            return error.problems.map(\.key)
        }
    }

    @Test func `each element is a sink with its name and schedule`() throws {
        let sinks = try Self.sinks(
            """
            [{"type": "mqtt", "url": "mqtt://127.0.0.1:1883", "format": "owntracks"},
             {"type": "mqtt", "url": "mqtt://127.0.0.1:1884", "syncThreshold": 7, "interval": "30s"},
             {"type": "mqtt", "name": "third", "url": "mqtt://127.0.0.1:1885", "interval": 45, "backoff": {"maximum": 40}}]
            """)
        #expect(sinks.map(\.sink.id) == ["mqtt", "mqtt-2", "third"])
        #expect(sinks.map(\.sync.syncThreshold) == [1, 7, SyncConfiguration().syncThreshold])
        #expect(sinks.map(\.sync.interval).dropFirst() == [.seconds(30), .seconds(45)])
        #expect(sinks.last?.sync.backoff.maximum == .seconds(40))
    }

    @Test func `no sinks are no error`() throws {
        #expect(try Self.sinks("[]").isEmpty)
    }

    @Test(arguments: [
        (#"[{"type": "mqtt"}]"#, ["sinks.mqtt.url"]),
        (#"[{"type": "http", "url": "http://127.0.0.1"}]"#, ["sinks.http.type"]),
        (#"[{"url": "mqtt://127.0.0.1"}]"#, ["sinks.0.type"]),
        (#"[{"type": "mqtt", "name": "home", "url": "mqtt://127.0.0.1", "oops": 1}]"#, ["sinks.home.oops"]),
        (#"[{"type": "mqtt", "url": "mqtt://127.0.0.1", "syncThreshold": 0}]"#, ["sinks.mqtt.syncThreshold"]),
        (#"[{"type": "mqtt", "url": "mqtt://example.org"}]"#, ["sinks.mqtt.url"]),
        (
            #"[{"type": "mqtt", "url": "mqtt://127.0.0.1"}, {"type": "mqtt", "url": "mqtt://127.0.0.1:1883"}]"#,
            ["sinks.mqtt-2.base"]
        ),
        (#"{"type": "mqtt"}"#, ["sinks"]), ("[", ["json"]), ("", ["json"]),
    ])
    func `what is wrong is told under its whole key`(_ json: String, _ keys: [String]) {
        #expect(Self.keys(json) == keys)
    }

    @Test func `a secret is read from a file that only its owner can read`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/password"
            let json =
                #"[{"type": "mqtt", "url": "mqtt://127.0.0.1", "username": "van", "password": {"file": "\#(path)"}}]"#
            #expect(Self.keys(json) == ["sinks.mqtt.password"])
            #expect(FileManager.default.createFile(atPath: path, contents: Data("secret".utf8)))
            for (mode, keys) in [(0o644, ["sinks.mqtt.password"]), (0o600, ["sink mqtt"])] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                #expect(Self.keys(json) == keys, "\(mode)")
            }
        }
    }
}
