import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

/// `trackd run` is configured through a real broker.
@Suite(.timeLimit(.minutes(3))) struct RemoteAgentTests {
    private func order(_ text: String, _ broker: MosquittoBroker) async throws {
        try await BrokerOrder(topic: "owntracks/jane/van-7/cmd", text: text).publish(at: broker)
    }

    private func setConfiguration(_ values: String) -> String {
        #"{"_type":"cmd","action":"setConfiguration","configuration":{"_type":"configuration",\#(values)}}"#
    }

    private func agent(_ folder: String, _ broker: MosquittoBroker) throws -> RunningAgent {
        try RunningAgent(
            folder,
            """
            device: {id: van-7}
            sources: [{type: simulated, rate: 10}]
            tracking: {distanceFilter: 1, disableSpeedMultiplier: true}
            control: {remoteKeys: [tracking.distanceFilter]}
            sinks:
              - {type: mqtt, name: fleet, url: "mqtt://127.0.0.1:\(broker.port)", format: owntracks, user: jane,
                 syncThreshold: 1, commands: [setConfiguration, dump]}
            """)
    }

    @Test func `what is allowed is applied, confirmed by the broker, and holds after a restart`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let broker = try await MosquittoBroker(in: folder)
            let subscriber = try await SubscriberProcess(of: broker, log: folder + "/messages")
            let first = try agent(folder, broker)
            try await eventually("it is connected, trackd printed: \(first.child.text)", within: .seconds(60)) {
                try await first.trackd("status").text.contains("connected")
            }
            try await order(setConfiguration(#""tracking":{"stillAfter":5}"#), broker)
            try await eventually("another key is rejected", within: .seconds(30)) {
                try await first.trackd("status").text.contains("1 commands rejected")
            }
            await first.prints("a change of the configuration from afar is refused")
            try await order(setConfiguration(#""locatorDisplacement":7"#), broker)
            await first.prints("configuration applied")
            try await eventually("the broker has confirmed something since", within: .seconds(60)) {
                let kept = try String(contentsOfFile: folder + "/state/remote.json", encoding: .utf8)
                return kept == #"{"version":1,"values":{"tracking.distanceFilter":"7"}}"# + "\n"
            }
            #expect(try await first.trackd("check", "--show").text.contains("distanceFilter: 7"))
            try await order(#"{"_type":"cmd","action":"dump"}"#, broker)
            try await eventually("the sender sees it, too", within: .seconds(30)) {
                try subscriber.messages().contains {
                    $0.topic == "owntracks/jane/van-7/dump" && $0.payload.contains(#""distanceFilter":7"#)
                }
            }
            first.child.send(SIGTERM)
            #expect(await first.end() == 0)
            // What was confirmed holds; what was on trial when the process was killed does not.
            try #"{"version":1,"values":{"tracking.distanceFilter":"9"},"before":{"tracking.distanceFilter":"7"}}"#
                .write(toFile: folder + "/state/remote.json", atomically: true, encoding: .utf8)
            let second = try agent(folder, broker)
            await second.prints("is undone, because the agent ended on its trial")
            try await eventually("what was confirmed holds again", within: .seconds(30)) {
                try await second.trackd("check", "--show").text.contains("distanceFilter: 7")
            }
            second.child.send(SIGTERM)
            #expect(await second.end() == 0)
        }
    }
}
