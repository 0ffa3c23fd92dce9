import Foundation
import TestSupport
import TrackEngine

/// `trackd` as a process with a simulated vehicle and one sink, killed and started again on the same store.
final class TorturedAgent {
    private let folder: String
    private let sink: String
    private var process: ChildProcess?
    private var state: String { folder + "/state" }
    /// A private folder for the control socket: the other folder's name may be too long (unix(7): 107 bytes).
    private let socketFolder = NSTemporaryDirectory() + "tortured-\(UInt32.random(in: 0 ... .max))"

    init(folder: String, sink: String) throws {
        self.folder = folder
        self.sink = sink
        try FileManager.default.createDirectory(
            atPath: socketFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        process?.killNow()
        try? FileManager.default.removeItem(atPath: socketFolder)  // a leftover in /tmp fails nothing
    }

    /// Starts it with a vehicle that makes a record about every tenth of a second.
    func start(seed: UInt64) throws {
        try start(source: "{type: simulated, rate: 10, seed: \(seed)}")
    }

    /// Starts it with a vehicle that stops at once, so that only what waits is delivered.
    ///
    /// - Parameter time: of the first fix; now without one.
    func startToFinish(at time: Timestamp? = nil) throws {
        let beginning = time.map { ", startTime: \"\($0.rfc3339(.milliseconds))\"" } ?? ""
        try start(source: "{type: simulated, rate: 10, duration: 0.1, seed: 0\(beginning)}")
    }

    private func start(source: String) throws {
        let text = """
            device: {id: van-7}
            sources: [\(source)]
            tracking: {distanceFilter: 0, stillAfter: 0, standbyAfter: 0}
            store: {path: \(state), keepSyncedDays: 1, maxDaysToPersist: 0}
            sinks: [\(sink)]
            control: {socket: \(socketFolder)/s}
            log: {level: warning}
            """
        try text.write(toFile: folder + "/trackd.yaml", atomically: true, encoding: .utf8)
        process = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), ["run", "--config", folder + "/trackd.yaml"],
            environment: ["TRACKD_CONFIG": "", "SWIFT_BACKTRACE": "enable=no"])
    }

    /// kill -9; returns what is wrong if it had ended by itself before.
    func kill() -> String? {
        defer { process = nil }
        guard let process else { return nil }
        if let code = process.exitCode {
            return "the agent ended by itself with \(code): \(process.text.suffix(300))"
        }
        process.killNow()
        return nil
    }

    /// Has everything delivered and ends it in order; returns what is wrong.
    func finish(within limit: Duration) async throws -> String? {
        let end = ContinuousClock.now + limit
        var queued: Int?
        while queued != 0, process?.isRunning == true, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(100))  // paces the questions to another program
            _ = try await ask("sync")  // fails where the receiver rejects what is left
            queued = try await queuedCount(in: ask("status", "--json").text)
        }
        return self.end(queued)
    }

    private func end(_ waiting: Int?) -> String? {
        if let code = process?.exitCode {
            return "the agent ended by itself with \(code): \(process?.text.suffix(300) ?? "")"
        }
        process?.send(SIGTERM)
        process?.waitUntilExit()
        guard waiting == 0 else { return "\(waiting.map(String.init) ?? "an unknown number of") records wait" }
        let code = process?.exitCode
        return code == 0 ? nil : "a stop ended with \(code.map(String.init) ?? "nothing")"
    }

    private func ask(_ arguments: String...) async throws -> ChildProcess {
        let child = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), arguments + ["--config", folder + "/trackd.yaml"],
            environment: ["TRACKD_CONFIG": ""])
        _ = await child.exit()
        return child
    }

    private func queuedCount(in text: String) -> Int? {
        // While it starts nobody answers, and then the text is no JSON.
        let status = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return ((status?["sinks"] as? [[String: Any]])?.first?["queued"] as? NSNumber)?.intValue
    }

    /// What the running agent holds of the system.
    func resources() -> ResourceSample? { process.flatMap { ResourceSample(pid: $0.pid) } }

    // MARK: The store

    /// What the ended agent's store holds.
    func stored() async throws -> (records: [TrackRecord], dead: [String: String]) {
        let store = try await StoreFolder.open(state)
        var records: [TrackRecord] = []
        while true {
            let page = try await store.records(after: records.last?.sequence ?? .zero, limit: 1000)
            if page.isEmpty { break }
            records += page
        }
        let letters = try await store.deadLetters(of: nil)
        await store.close()
        let dead = Dictionary(letters.map { ($0.record.id.description, $0.reason) }, uniquingKeysWith: { $1 })
        return (records, dead)
    }
}
