import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

/// What an agent tells of a configuration full of secrets: in its log, its status, its check, and to who asks it from afar.
@Suite(.timeLimit(.minutes(30))) struct MaskingAgentTests {
    /// The password that the broker wants.
    private static let password = "canary-broker"

    /// What stands in a header for the name and the password of the sink that logs in with both.
    private static let basic = Data("jane:canary-basic".utf8).base64EncodedString()

    /// A receiver that accepts nothing and repeats each secret that it was told.
    private static func echo(_ connection: Int32) {
        guard let request = HTTPText.request(on: connection) else { return }
        let text = request.head + String(decoding: request.body, as: UTF8.self)
        let secrets = text.matches(of: /canary[-_0-9A-Za-z]*/).map { String($0.output) }
        let login = text.contains(basic) ? [basic] : []
        HTTPText.reply(401, "no device: \((secrets + login).joined(separator: ", "))", on: connection)
    }

    /// Sinks and sources with secrets, each of which begins with "canary".
    private static func yaml(_ folder: String, broker: Int, receiver: Int) -> String {
        let http = "http://127.0.0.1:\(receiver)"
        return """
            device: {id: van-7}
            sources:
              - {type: simulated, rate: 10}
              - {type: miataru, name: friends, url: "\(http)/t/canaryPath", deviceID: canary-asking, deviceKey: canary-key,
                 follow: [{id: canary-friend, name: Anna}]}
            tracking: {distanceFilter: 0}
            store: {path: \(folder)/state}
            sinks:
              - {type: mqtt, name: fleet, url: "mqtt://127.0.0.1:\(broker)", format: owntracks, user: jane,
                 syncThreshold: 1, username: jane, password: \(password), commands: [dump]}
              - {type: mqtt, name: sealed, url: "mqtt://127.0.0.1:\(broker)", format: owntracks, base: sealed, user: jane,
                 syncThreshold: 1, username: jane, password: \(password), secret: canary-sealing}
              - {type: http, name: things, preset: thingsboard, url: "\(http)/api/v1/canary_short", syncThreshold: 1}
              - {type: http, name: whole, preset: thingsboard, url: "\(http)/api/v1/canary_whole/telemetry", syncThreshold: 1}
              - {type: http, name: usual, preset: thingsboard, url: "\(http)/api/v1/canary0123456789abcd", syncThreshold: 1}
              - {type: http, name: hook, preset: home-assistant-webhook, url: "\(http)/api/webhook/canaryhook",
                 headers: {X-Api-Key: canary-header}}
              - {type: overland, url: "\(http)/?api_key=canaryquery", token: canary-token, syncThreshold: 1}
              - {type: owntracks, url: "\(http)/pub", user: jane, basicAuth: {user: jane, password: canary-basic},
                 secret: canary-secret, syncThreshold: 1}
              - {type: miataru, url: "\(http)/t/canaryPath", deviceID: canary-id, deviceKey: canary-own, syncThreshold: 1}
            log: {level: trace}
            """
    }

    private func order(_ text: String, _ broker: MosquittoBroker) async throws {
        try await BrokerOrder(topic: "owntracks/jane/van-7/cmd", text: text)
            .publish(at: broker, user: "jane", password: Self.password)
    }

    @Test func `no log, status, check or dump has a secret`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            var options = MosquittoBroker.Options()
            options.passwords = ["jane": Self.password]
            let broker = try await MosquittoBroker(in: folder, options)
            let subscriber = try await SubscriberProcess(
                of: broker, log: folder + "/messages", user: "jane", password: Self.password)
            let port = try ReservedPort()
            let listener = try LoopbackListener(at: .ipv4(port.number)) { Self.echo($0) }
            RunningAgent.keepPrivate(folder)
            let agent = try RunningAgent(
                folder, Self.yaml(folder, broker: broker.port, receiver: port.number))
            let check = try await agent.trackd("check", "--show")
            try #require(check.status == 0, "\(check.text)")
            var status = ""
            await eventually(
                "each source and sink has a reply, trackd printed: \(agent.child.text)",
                from: agent.child
            ) {
                status = (try? await agent.trackd("status", "--json").text) ?? ""
                return status.components(separatedBy: "no device: ").count == 9
            }
            try await order(#"{"_type":"cmd","action":"dump"}"#, broker)
            try await eventually(
                "the dump comes, trackd printed: \(agent.child.text)", from: agent.child
            ) {
                try subscriber.messages().contains { $0.topic == "owntracks/jane/van-7/dump" }
            }
            let dump = try #require(
                try subscriber.messages().first { $0.topic == "owntracks/jane/van-7/dump" }?.payload)
            let shown = try JSONValue.parse(dump.utf8)["configuration"]?["trackengine"]?["sinks"]?.array ?? []
            #expect(shown.count == 9, "\(dump)")
            #expect(shown.first { $0["name"]?.string == "things" }?["url"]?.string?.contains("/api/v1/***") == true)
            let texts = [
                "status": try await agent.trackd("status").text, "status --json": status, "dump": dump,
                "check": check.text, "log": agent.child.text,
                "other messages": try subscriber.messages().map { $0.topic + $0.payload }.joined(separator: "\n"),
            ]
            for (name, text) in texts {
                #expect(!text.isEmpty)
                let found = text.firstRange(of: "canary").map { text[..<$0.upperBound].suffix(400) }
                #expect(found == nil && !text.contains(Self.basic), "\(name): \(found ?? "")")
            }
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
            #expect(!agent.child.text.contains("canary"))
            listener.stop()
        }
    }
}
