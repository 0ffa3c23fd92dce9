import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineMQTT
import TrackEngineTestKit

/// `trackd run` is configured through a real broker.
@Suite(.timeLimit(.minutes(30))) struct RemoteAgentTests {
    private func order(_ text: String, _ broker: MosquittoBroker) async throws {
        try await BrokerOrder(topic: "owntracks/jane/van-7/cmd", text: text).publish(at: broker)
    }

    private func setConfiguration(_ values: String) -> String {
        #"{"_type":"cmd","action":"setConfiguration","configuration":{"_type":"configuration",\#(values)}}"#
    }

    private func start(
        _ folder: String, _ broker: MosquittoBroker, _ arguments: [String] = [],
        keys: String = "tracking.distanceFilter"
    ) throws -> RunningAgent {
        try RunningAgent(
            folder,
            """
            device: {id: van-7}
            sources: [{type: simulated, rate: 10}]
            tracking: {distanceFilter: 1, disableSpeedMultiplier: true}
            control: {remoteKeys: [\(keys)]}
            sinks:
              - {type: mqtt, name: fleet, url: "mqtt://127.0.0.1:\(broker.port)", format: owntracks, user: jane,
                 syncThreshold: 1, commands: [setConfiguration, dump, status]}
            """, arguments: arguments)
    }

    @Test func `what is allowed is applied, confirmed by the broker, and holds after a restart`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let broker = try await MosquittoBroker(in: folder)
            let subscriber = try await SubscriberProcess(of: broker, log: folder + "/messages")
            let first = try start(folder, broker)
            try await eventually(
                "it is connected, trackd printed: \(first.child.text)", from: first.child
            ) {
                try await first.trackd("status").text.contains("connected")
            }
            try await order(setConfiguration(#""tracking":{"stillAfter":5}"#), broker)
            try await eventually("another key is rejected") {
                try await first.trackd("status").text.contains("1 commands rejected")
            }
            await first.prints("a remote change of the configuration is refused")
            try await order(setConfiguration(#""locatorDisplacement":7"#), broker)
            await first.prints("configuration applied")
            await eventually("the broker has confirmed something since") {
                let kept = RemoteFile(in: folder + "/state").read()
                return kept.texts == ["tracking.distanceFilter": "7"] && kept.trial == nil
            }
            #expect(try await first.trackd("check", "--show").text.contains("distanceFilter: 7"))
            try await order(#"{"_type":"cmd","action":"dump"}"#, broker)
            try await eventually("the sender sees it, too") {
                try subscriber.messages().contains {
                    $0.topic == "owntracks/jane/van-7/dump" && $0.payload.contains(#""distanceFilter":7"#)
                }
            }
            first.child.send(SIGTERM)
            #expect(await first.end() == 0)
            // What was confirmed holds; what was on trial when the process was killed does not.
            try #"{"version":1,"values":{"tracking.distanceFilter":"9"},"before":{"tracking.distanceFilter":"7"}}"#
                .write(toFile: folder + "/state/remote.json", atomically: true, encoding: .utf8)
            let second = try start(folder, broker)
            await second.prints("are undone, because the agent ended during their trial")
            try await eventually("what was confirmed holds again") {
                try await second.trackd("check", "--show").text.contains("distanceFilter: 7")
            }
            second.child.send(SIGTERM)
            #expect(await second.end() == 0)
        }
    }

    @Test func `an operator sees what holds from afar, and takes it back`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let broker = try await MosquittoBroker(in: folder)
            try FileManager.default.createDirectory(atPath: folder + "/state", withIntermediateDirectories: true)
            try #"{"version":1,"values":{"log.level":"debug"}}"#
                .write(toFile: folder + "/state/remote.json", atomically: true, encoding: .utf8)
            // log.level is overridden, which is no reason to refuse another key.
            let agent = try start(
                folder, broker, ["--set", "log.level=info"], keys: "tracking.distanceFilter, log.level")
            try await eventually(
                "it is connected, trackd printed: \(agent.child.text)", from: agent.child
            ) {
                try await agent.trackd("status").text.contains("connected")
            }
            try await order(setConfiguration(#""locatorDisplacement":7"#), broker)
            try await eventually("the status shows it") {
                try await agent.trackd("status").text.contains("tracking.distanceFilter = 7 since ")
            }
            let status = try JSONValue.parse(try await agent.trackd("status", "--json").text.utf8)
            #expect(status["remote"]?["values"]?["tracking.distanceFilter"]?["value"]?.string == "7")
            #expect(try await agent.trackd("remote", "show").text.contains("log.level = debug\n"))
            try await eventually("it stays") {
                try await !agent.trackd("remote", "show").text.contains("on trial")
            }
            #expect(try await agent.trackd("check", "--show").text.contains("distanceFilter: 7  # remote since "))
            try await order(setConfiguration(#""tracking":{"distanceFilter":"asConfigured"}"#), broker)
            try await eventually("the sender has taken it back") {
                try await agent.trackd("remote", "show").text == "log.level = debug\n"
            }
            let unknown = try await agent.trackd("remote", "clear", "log.levle")
            #expect(unknown.status == 64 && unknown.text.contains("a key with a remote setting: log.level"))
            #expect(try await agent.trackd("remote", "clear", "log.level").text == "taken back: log.level\n")
            expectMessage(try await agent.trackd("remote", "show").text, as: "no remote settings")
            #expect(try await agent.trackd("remote", "show", "--json").text == "{}\n")
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }

    @Test func `where no agent runs values are taken back for the next one, and a damaged file is told`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let broker = try await MosquittoBroker(in: folder)
            let keys = "tracking.distanceFilter, log.level"
            let first = try start(folder, broker, keys: keys)
            await first.prints("source simulated: moving")
            first.child.send(SIGTERM)
            #expect(await first.end() == 0)
            let file = RemoteFile(in: folder + "/state")
            try #"{"version":1,"values":{"log.level":"debug","tracking.distanceFilter":"9"}}"#
                .write(toFile: file.path, atomically: true, encoding: .utf8)
            #expect(
                try await first.trackd("remote", "show").text == "log.level = debug\ntracking.distanceFilter = 9\n")
            #expect(
                try await first.trackd("remote", "clear", "log.level").text == "taken back: log.level; no agent runs\n")
            #expect(file.read().texts == ["tracking.distanceFilter": "9"])
            try "{".write(toFile: file.path, atomically: true, encoding: .utf8)
            let check = try await first.trackd("check")
            #expect(check.status == 0)
            expectMessage(check.text.line(with: "remote.json"), as: "a damaged file", replacing: [folder: "FOLDER"])
            let second = try start(folder, broker, keys: keys)
            await second.prints("remote settings are lost")
            try await eventually("the status tells it, too") {
                try await second.trackd("status", "--json").text.contains("set aside as remote.json.corrupt")
            }
            #expect(try String(contentsOfFile: file.asidePath, encoding: .utf8) == "{")
            second.child.send(SIGTERM)
            #expect(await second.end() == 0)
        }
    }

    @Test func `a key that may not be changed any more is told by log, status and check, and does not hold`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let broker = try await MosquittoBroker(in: folder)
            try FileManager.default.createDirectory(atPath: folder + "/state", withIntermediateDirectories: true)
            try #"{"version":1,"values":{"log.level":"debug"}}"#
                .write(toFile: folder + "/state/remote.json", atomically: true, encoding: .utf8)
            let agent = try start(folder, broker)
            await agent.prints("remote setting is not in force")
            try await eventually("the status tells it") {
                try await agent.trackd("status").text.contains("does not hold: expected")
            }
            #expect(
                try await agent.trackd("remote", "show").text.hasPrefix("log.level = debug, does not hold: expected"))
            expectMessage(
                try await agent.trackd("check").text.line(with: "log.level does not hold"),
                as: "a key that may not be changed")
            #expect(try await agent.trackd("remote", "clear").text == "taken back: log.level\n")
            let refused = try await agent.trackd("check", "--set", "control.remoteKeys=[store.maxRecords]")
            #expect(refused.status == 78 && refused.text.contains("would drop undelivered records"))
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }
}
