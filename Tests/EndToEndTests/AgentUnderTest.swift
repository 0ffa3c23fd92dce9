import Foundation
import NIOPosix
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// `trackd run` as a process of its own, that can be killed and started again on the same store.
final class AgentUnderTest: Sendable {
    /// A stored record, as `trackd export` tells it.
    struct Stored: Hashable, Sendable {
        let id: String
        let time: Timestamp
        let latitude: Double
    }

    private let folder: String
    private let process: Mutex<ChildProcess?>
    private var configuration: String { folder + "/trackd.yaml" }
    private var state: String { folder + "/state" }

    /// Writes the configuration with one sink, `{…}`; nothing runs yet.
    init(folder: String, gpsd port: Int, sink: String) throws {
        self.folder = folder
        process = Mutex(nil)
        let text = """
            device: {id: van-7}
            sources: [{type: gpsd, host: 127.0.0.1, port: \(port)}]
            store: {path: \(state), keepSyncedDays: 1, maxDaysToPersist: 0}
            sinks: [\(sink)]
            log: {level: warning}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: configuration))
    }

    deinit {
        process.withLock { $0?.killNow() }
    }

    func start() throws {
        let started = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), ["run", "--config", configuration],
            environment: ["TRACKD_CONFIG": ""])
        process.withLock { $0 = started }
    }

    /// kill -9, and waits until it is gone.
    func kill() {
        process.withLock { process in
            process?.killNow()
            process = nil
        }
    }

    /// SIGTERM; answers the exit status.
    func stop() async -> Int32? {
        let process = process.withLock { $0 }
        process?.send(SIGTERM)
        await eventually("trackd ends") { process?.exitCode != nil }
        return process?.exitCode
    }

    /// What it has printed since its last start.
    var text: String { process.withLock { $0?.text ?? "" } }

    // MARK: Asking

    /// A request on the control socket; throws while nobody answers.
    func ask(_ request: ControlRequest, part: (JSONValue) async throws -> Void = { _ in }) async throws -> JSONValue {
        try await ControlClient(path: state + "/trackd.sock", on: .singletonMultiThreadedEventLoopGroup).send(
            request, within: .seconds(30), part: part)
    }

    /// All stored records in order of acceptance: what the agent vouches for at this moment.
    func stored() async throws -> [Stored] {
        var text = ""
        _ = try await ask(.export(ExportRequest(format: .ndjson))) { text += $0.string ?? "" }
        return try text.split(separator: "\n").map { line in
            let json = try JSONValue.parse(line.utf8)
            guard let id = json["id"]?.string, let time = json["timestamp"]?.string.flatMap(Timestamp.init(rfc3339:)),
                let latitude = json["coords"]?["latitude"]?.number
            else { throw CocoaError(.fileReadCorruptFile) }
            return Stored(id: id, time: time, latitude: latitude)
        }
    }

    /// How many fixes the running agent has got, and whether gpsd delivers.
    func fixes() async -> Int {
        // While it starts nobody answers: no fixes then.
        guard let status = try? await ask(.status(view: nil)) else { return 0 }
        return Int(status["sources"]?.array?.first?["fixes"]?.number ?? 0)
    }

    /// Whether gpsd has greeted the running agent.
    func isConnected() async -> Bool {
        guard let status = try? await ask(.status(view: nil)) else { return false }  // as above
        return ["waiting", "receiving"].contains(status["sources"]?.array?.first?["status"]?.string)
    }
}
