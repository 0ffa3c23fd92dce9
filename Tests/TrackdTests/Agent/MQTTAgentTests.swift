import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

/// `trackd run` with a real broker.
@Suite struct MQTTAgentTests {
    private func order(_ text: String, _ topic: String, _ broker: MosquittoBroker) async throws {
        try await BrokerOrder(topic: topic, text: text).publish(at: broker)
    }

    /// Everything that a reply says, once one has come that says something.
    private func reply(_ needle: String, _ subscriber: SubscriberProcess) async throws -> JSONValue {
        try await eventually("a reply with \(needle)") {
            try subscriber.messages().contains { $0.topic == "fleet/van-7/cmd/reply" && $0.payload.contains(needle) }
        }
        let message = try #require(
            try subscriber.messages().last { $0.topic == "fleet/van-7/cmd/reply" && $0.payload.contains(needle) })
        return try JSONValue.parse(message.payload.utf8)
    }

    @Test(.timeLimit(.minutes(30)))
    func `it publishes, shows its connection, and answers what is allowed`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let broker = try await MosquittoBroker(in: folder)
            let subscriber = try await SubscriberProcess(of: broker, log: folder + "/messages")
            let agent = try RunningAgent(
                folder,
                """
                device: {id: van-7}
                sources: [{type: simulated, rate: 10}]
                tracking: {distanceFilter: 1, disableSpeedMultiplier: true}
                sinks:
                  - {type: mqtt, name: fleet, url: "mqtt://127.0.0.1:\(broker.port)", base: fleet, syncThreshold: 1,
                     commands: [report, status]}
                """)
            try await eventually("records arrive") {
                try subscriber.messages().filter { $0.topic == "fleet/van-7/record" }.count >= 3
            }
            #expect(
                try subscriber.messages().contains { $0.topic == "fleet/van-7/availability" && $0.payload == "online" })

            let status = try await agent.trackd("status", "--json")
            let sink = try JSONValue.parse(status.text.utf8)["sinks"]?.array?.first
            #expect(sink?["mqtt"]?["connection"]?.string == "connected")
            #expect(try await agent.trackd("status").text.contains("last PUBACK"))

            try await order("report", "fleet/van-7/cmd", broker)
            #expect(try await reply("report", subscriber)["result"]?["latitude"]?.number != nil)
            try await eventually("the record that was asked for") {
                try subscriber.messages().contains {
                    $0.topic == "fleet/van-7/record" && $0.payload.contains(#""cause":"requested""#)
                }
            }
            try await order("status", "fleet/van-7/cmd", broker)
            #expect(try await reply("\"status\"", subscriber)["result"]?["device"]?.string == "van-7")
            try await order("sync", "fleet/van-7/cmd", broker)
            #expect(try await reply("error", subscriber)["error"]?.string?.contains("not allowed") == true)

            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
            try await eventually("it says farewell") {
                try subscriber.messages().last { $0.topic == "fleet/van-7/availability" }?.payload == "offline"
            }
        }
    }
}
