import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// A receiver, a broker with a subscriber, and an agent that goes through a ``SimulatedDay`` and tells all of them.
final class DaySystem: Sendable {
    static let kinds = ["location", "visit", "trip", "transition", "action", "heartbeat", "power"]

    let folder: String
    let receiver: ReceiverProcess
    let broker: MosquittoBroker
    let subscriber: SubscriberProcess
    private let day: String
    private let printed = Mutex("")

    init(_ folder: String, _ day: SimulatedDay) async throws {
        self.folder = folder
        self.day = try day.write(in: folder)
        receiver = try await ReceiverProcess(log: folder + "/log")
        broker = try await MosquittoBroker(in: folder)
        subscriber = try await SubscriberProcess(of: broker, log: folder + "/messages")
    }

    /// Ends what runs beside the agent.
    func end() {
        receiver.stop()
        subscriber.stop()
        broker.stop()
    }

    private func yaml(speed: String) -> String {
        let mqtt = #"type: mqtt, url: "mqtt://127.0.0.1:\#(broker.port)", backoff: {maximum: 1}"#
        return """
            device: {id: van-7}
            sources: [{type: replay, path: "\(day)", speed: \(speed)}]
            store: {path: \(folder)/state, keepSyncedDays: 1, maxDaysToPersist: 0}
            sinks:
              - {type: overland, url: "\(receiver.url("/ok"))", events: [visit, trip, heartbeat], backoff: {maximum: 1}}
              - {name: own, base: fleet, \(mqtt)}
              - {name: phone, base: phone, format: owntracks, user: jane, \(mqtt)}
              - {name: house, base: house, format: homeassistant, \(mqtt)}
            log: {level: debug}
            \(SimulatedDay.configuration())
            """
    }

    /// Starts the agent where the day goes on, runs it for a while, and kills it. The while begins when the agent runs: on a slow
    /// machine all kills would come before it otherwise.
    func runAndKill(after time: Duration) async throws {
        let agent = try RunningAgent(folder, yaml(speed: "30000"))
        await agent.prints("running device=van-7")
        try await Task.sleep(for: time)  // a random moment
        agent.child.send(SIGKILL)
        _ = await agent.end()
        printed.withLock { $0 += agent.child.text }
    }

    /// Lets the agent go through what is left of the day, and ends it in order when every consumer has everything.
    func finish() async throws {
        let agent = try RunningAgent(folder, yaml(speed: "max"))
        await eventually("the day is over, trackd printed: \(agent.child.text)", from: agent.child) {
            // A signal that comes before the agent is there ends it as any program.
            ((try? await agent.trackd("status"))?.text ?? "").contains("finished")
        }
        _ = try await agent.trackd("sync")
        let status = try await agent.trackd("status", "--json").text + agent.trackd("status").text
        agent.child.send(SIGTERM)
        #expect(await agent.end() == 0, "\(agent.child.text)")
        printed.withLock { $0 += agent.child.text + status }
    }

    /// Everything that the agent has said, and the files beside its configuration and the day itself, by their names.
    func everythingWritten() throws -> [(name: String, bytes: [UInt8])] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            $0 != "day.csv" && $0 != "trackd.yaml"
        }
        let files = names.compactMap { name in
            FileManager.default.contents(atPath: "\(folder)/\(name)").map { (name, [UInt8]($0)) }
        }
        return files + [("what was printed", printed.withLock { Array($0.utf8) })]
    }

    // MARK: What arrived

    /// What the broker's subscriber has, without what the broker had kept and sent again.
    func messages() throws -> [DayMessage] {
        try subscriber.messages().filter { !$0.isRetained }.compactMap { DayMessage($0) }
    }

    /// What the HTTP receiver has.
    func features() throws -> [DayArrival] {
        try receiver.records().map { record in
            let properties = try JSONValue.parse(record.json.utf8)["properties"] ?? .null
            return DayArrival(id: record.id, event: SimulatedDay.Event(overland: properties))
        }
    }

    /// All records of a store, as `trackd export` tells them.
    static func export(_ folder: String) async throws -> String {
        let arguments = ["export", "--config", folder + "/trackd.yaml", "--format", "ndjson"]
        let child = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), arguments + kinds.flatMap { ["--kind", $0] },
            environment: ["STATE_DIRECTORY": folder + "/state"])
        #expect(await child.exit() == 0, "\(child.text)")
        return child.text
    }

    /// Runs the day in a fresh store without sinks; returns what it has then.
    static func replay(_ day: SimulatedDay, in folder: String, hides: Bool = true) async throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let agent = try RunningAgent(
            folder,
            """
            device: {id: van-7}
            sources: [{type: replay, path: "\(try day.write(in: folder))", speed: max}]
            store: {path: \(folder)/state, maxDaysToPersist: 0}
            log: {level: debug}
            \(SimulatedDay.configuration(hides: hides))
            """)
        await eventually("the day is over, trackd printed: \(agent.child.text)", from: agent.child) {
            ((try? await agent.trackd("status"))?.text ?? "").contains("finished")
        }
        agent.child.send(SIGTERM)
        #expect(await agent.end() == 0, "\(agent.child.text)")
        return try await export(folder)
    }
}
