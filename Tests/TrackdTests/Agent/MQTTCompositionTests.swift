import Foundation
import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineMQTT
import TrackEngineSettings

/// A row of type `mqtt` becomes the sink that it names.
@Suite struct MQTTCompositionTests {
    private func context(isFirst: Bool = true) -> PluginContext {
        var context = PluginContext.sample(environment: ["PASSWORD": "secret"])
        context.isFirstOfType = isFirst
        return context
    }

    private func kind(
        _ url: String, _ change: (inout MQTTSettings) -> Void = { _ in }
    ) -> MQTTSettings {
        var kind = MQTTSettings()
        kind.url = url
        change(&kind)
        return kind
    }

    @Test func `it is a sink with its rhythm`() async throws {
        var row = SinkConfiguration(name: "fleet", kind: kind("mqtts://broker.example.org"))
        row.sync.syncThreshold = 1
        let binding = try row.makeSink(context())
        #expect(binding.sink is MQTTSink)
        #expect(binding.sink.id == "fleet")
        #expect(binding.sync.syncThreshold == 1)
        await binding.sink.close()
    }

    @Test func `the first client is called like the device, the others also like their sinks`() throws {
        let kind = kind("mqtts://broker")
        #expect(try kind.connection(named: "fleet", context()).clientID == "van-7")
        #expect(try kind.connection(named: "home", context(isFirst: false)).clientID == "van-7-home")
        let named = self.kind("mqtts://broker") { $0.configuration.clientID = "c" }
        #expect(try named.connection(named: "home", context(isFirst: false)).clientID == "c")
    }

    @Test func `attempts to connect wait no longer than deliveries may`() throws {
        var context = context()
        #expect(try kind("mqtts://b").connection(named: "home", context).backoff.maximum == .seconds(60))
        context.sync.backoff.maximum = .seconds(5)
        #expect(try kind("mqtts://b").connection(named: "home", context).backoff.maximum == .seconds(5))
    }

    @Test func `the address says where, and whether with TLS`() throws {
        let secure = try kind("mqtts://Broker:8884") { $0.tls.ca = "/ca.pem" }.connection(named: "a", context())
        #expect(secure.host == "broker")
        #expect(secure.port == 8884)
        #expect(secure.tls == .init(certificateAuthorityFile: "/ca.pem"))
        let plain = try kind("mqtt://[::1]").connection(named: "a", context())
        #expect(plain.host == "::1")
        #expect(plain.port == nil)
        #expect(plain.tls == nil)
    }

    @Test func `commands come in below base and device, if there are any`() throws {
        #expect(try kind("mqtts://b").connection(named: "a", context()).commands == nil)
        let commands = try kind("mqtts://b") {
            $0.commands = [.report]
            $0.configuration.messages.base = "fleet"
            $0.deviceID = "van"
        }.connection(named: "a", context()).commands
        #expect(commands == .init(topic: "fleet/van/cmd", allowed: [.report]))
    }

    @Test func `a consumer confirms below base and device, or on the topic that is given`() throws {
        #expect(try kind("mqtts://b").connection(named: "a", context()).confirm == nil)
        let plain = kind("mqtts://b") { ($0.configuration.messages.base, $0.confirm) = ("fleet", MQTTConfirmation()) }
        #expect(try plain.connection(named: "a", context()).confirm == .init(topic: "fleet/van-7/confirmed"))
        let full = kind("mqtts://b") { sink in
            sink.confirm = MQTTConfirmation()
            sink.confirm?.topic = "seen/{device}"
            sink.confirm?.timeout = .seconds(5)
        }
        let confirm = try full.connection(named: "a", context()).confirm
        #expect(confirm == .init(topic: "seen/van-7", timeout: .seconds(5)))
    }

    @Test func `the user of topics is the one given, or who logs in`() {
        #expect(kind("mqtts://b").messages(device: "d", programVersion: "1").user == "trackengine")
        #expect(
            kind("mqtts://b") { $0.configuration.username = "u" }.messages(device: "d", programVersion: "1").user == "u"
        )
        let both = kind("mqtts://b") { ($0.configuration.username, $0.user) = ("u", "jane") }
        #expect(both.messages(device: "d", programVersion: "1").user == "jane")
    }

    @Test func `a password from a file is read by the sink itself, others are handed over`() async throws {
        let environment = try kind("mqtts://b") {
            ($0.configuration.username, $0.password) = ("u", .environment("PASSWORD"))
        }
        .connection(named: "a", context())
        #expect(environment.password == .text(Secret("secret")))
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/password"
            try Data("secret\n".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            let file = try kind("mqtts://b") { ($0.configuration.username, $0.password) = ("u", .file(path)) }
                .connection(named: "a", context())
            #expect(file.password == .file(path))
        }
    }

    @Test func `a credential is read by the sink itself, too`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try Data("secret\n".utf8).write(to: URL(fileURLWithPath: directory + "/mqtt"))
            let context = PluginContext.sample(environment: ["CREDENTIALS_DIRECTORY": directory])
            let sink = try kind("mqtts://b") { ($0.configuration.username, $0.password) = ("u", .credential("mqtt")) }
                .connection(named: "a", context)
            #expect(sink.password == .credential(directory + "/mqtt"))
        }
    }

    @Test func `a password that cannot be had is named by its key`() {
        let kind = kind("mqtts://b") { ($0.configuration.username, $0.password) = ("u", .environment("MISSING")) }
        #expect {
            try SinkConfiguration(name: "home", kind: kind).makeSink(context())
        } throws: { error in
            (error as? ConfigurationError)?.problems.map(\.key) == ["sinks.home.password"]
        }
    }

    @Test func `a device that MQTT cannot name is found before anything runs`() {
        var context = context()
        context.device = DeviceID(rawValue: String(repeating: "x", count: 201))
        #expect {
            try SinkConfiguration(name: "home", kind: kind("mqtts://b")).makeSink(context)
        } throws: { error in
            (error as? ConfigurationError)?.problems.map(\.key) == ["device.id"]
        }
    }

    @Test func `a name of its own that MQTT cannot name is told under the sink`() {
        let kind = kind("mqtts://b") { $0.deviceID = "a/b" }
        #expect {
            try SinkConfiguration(name: "home", kind: kind).makeSink(context())
        } throws: { error in
            (error as? ConfigurationError)?.problems.map(\.key) == ["sinks.home.deviceID"]
        }
    }
}
