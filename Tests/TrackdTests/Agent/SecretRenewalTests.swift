import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings
import TrackEngineTestKit

/// A secret that was put right is used without a restart.
@Suite(.timeLimit(.minutes(30))) struct SecretRenewalTests {
    private static func yaml(_ receiver: ReceiverProcess, _ folder: String) -> String {
        """
        sources: [{type: simulated, rate: 10}]
        tracking: {distanceFilter: 1, disableSpeedMultiplier: true}
        sinks:
          - {type: overland, name: home, url: "\(receiver.url("/bearer:right"))", syncThreshold: 1,
             token: {file: \(folder)/token}}

        """
    }

    private static func write(_ token: String, _ folder: String) throws {
        try Data("\(token)\n".utf8).write(to: URL(fileURLWithPath: folder + "/token"))
        guard chmod(folder + "/token", 0o600) == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }

    /// An agent whose receiver has refused its token.
    private func withPausedAgent(_ body: (RunningAgent, ReceiverProcess) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let receiver = try await ReceiverProcess(log: folder + "/log")
            try Self.write("wrong", folder)
            let agent = try RunningAgent(folder, Self.yaml(receiver, folder))
            await agent.prints("401")
            try await body(agent, receiver)
            agent.child.send(SIGTERM)
            _ = await agent.end()
            receiver.stop()
        }
    }

    @Test func `SIGHUP reads a secret again, says so, and has the sink deliver`() async throws {
        try await withPausedAgent { agent, receiver in
            try Self.write("right", agent.folder)
            agent.child.send(SIGHUP)
            await agent.prints("secrets read again keys=sinks.home.token")
            try await eventually("records arrive") { try !receiver.records().isEmpty }
            #expect(!agent.child.text.contains("read again, unchanged"))
        }
    }

    @Test func `so does a sync by hand`() async throws {
        try await withPausedAgent { agent, receiver in
            try Self.write("right", agent.folder)
            #expect(try await agent.trackd("sync").status == 0)
            try await eventually("records arrive") { try !receiver.records().isEmpty }
        }
    }

    @Test func `a secret that cannot be read is named at SIGHUP, and the last one goes on`() async throws {
        try await withPausedAgent { agent, receiver in
            try Self.write("right", agent.folder)
            agent.child.send(SIGHUP)
            try await eventually("records arrive") { try !receiver.records().isEmpty }
            guard chmod(agent.folder + "/token", 0o644) == 0 else { throw CocoaError(.fileWriteNoPermission) }
            agent.child.send(SIGHUP)
            await agent.prints("secret not read again: sinks.home.token = ***")
            let before = try receiver.records().count
            try await eventually("further records arrive") { try receiver.records().count > before }
        }
    }

    /// A broker that lets in `van-7` and `reader` with the password "right", and an agent whose credential says "wrong".
    private func withRefusedClient(_ body: (RunningAgent, SubscriberProcess) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            var options = MosquittoBroker.Options()
            options.passwords = ["van-7": "right", "reader": "right"]
            let broker = try await MosquittoBroker(in: folder, options)
            let subscriber = try await SubscriberProcess(
                of: broker, log: folder + "/log", filter: "fleet/#", user: "reader", password: "right")
            try FileManager.default.createDirectory(atPath: folder + "/credentials", withIntermediateDirectories: true)
            try Self.writeCredential("wrong", folder)
            let agent = try RunningAgent(
                folder,
                """
                device: {id: van-7}
                sources: [{type: simulated, rate: 10}]
                tracking: {distanceFilter: 1, disableSpeedMultiplier: true}
                sinks:
                  - {type: mqtt, name: fleet, url: "mqtt://127.0.0.1:\(broker.port)", base: fleet, syncThreshold: 1,
                     username: van-7, password: {credential: mqtt}}

                """, environment: ["CREDENTIALS_DIRECTORY": folder + "/credentials"])
            // Not before the drain has heard of it: a sync would join the delivery that is about to fail.
            try await eventually("a pause") {
                try await agent.trackd("status").text.contains("paused")
            }
            try await body(agent, subscriber)
            agent.child.send(SIGTERM)
            _ = await agent.end()
        }
    }

    /// With systemd's mode where the agent has a user of its own: the access list shows as rights of the group.
    private static func writeCredential(_ password: String, _ folder: String) throws {
        try Data("\(password)\n".utf8).write(to: URL(fileURLWithPath: folder + "/credentials/mqtt"))
        guard chmod(folder + "/credentials/mqtt", 0o440) == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }

    @Test func `a broker's password is read again from systemd's credential at SIGHUP`() async throws {
        try await withRefusedClient { agent, subscriber in
            try FileManager.default.removeItem(atPath: agent.folder + "/credentials/mqtt")
            try Self.writeCredential("right", agent.folder)
            agent.child.send(SIGHUP)
            await agent.prints("secrets read again keys=sinks.fleet.password")
            try await eventually("records arrive") {
                try subscriber.messages().contains { $0.topic == "fleet/van-7/record" }
            }
        }
    }

    @Test func `and by a sync by hand`() async throws {
        try await withRefusedClient { agent, subscriber in
            try FileManager.default.removeItem(atPath: agent.folder + "/credentials/mqtt")
            try Self.writeCredential("right", agent.folder)
            // What the sync itself says depends on whether an attempt with the old password was still under way.
            _ = try await agent.trackd("sync")
            try await eventually("records arrive") {
                try subscriber.messages().contains { $0.topic == "fleet/van-7/record" }
            }
        }
    }

    @Test func `a secret of the configuration itself does not change`() async {
        let secrets = AgentSecretReader(SecretReader(environment: [:]))
        #expect(await secrets.current("sinks.home.token") == nil)
        #expect(await secrets.renew() == AgentSecretReader.Outcome())
    }
}
