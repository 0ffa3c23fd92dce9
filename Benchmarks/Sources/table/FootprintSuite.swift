import Foundation
import Measure
import WireSuites

/// What the agent takes while a simulated vehicle drives and every record goes into its store.
enum FootprintSuite {
    private static let seconds = 30

    static func rows() async throws -> [Row] {
        let agent = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/trackd"
        guard FileManager.default.isExecutableFile(atPath: agent) else { return [] }
        var rows: [Row] = []
        for (rate, hasServer) in [(1, false), (1, true), (10, false)] {
            try await withTemporaryFolder { folder in
                let usage = try await watch(agent, rate: rate, hasServer: hasServer, in: folder)
                rows.append(
                    Row(
                        "Footprint",
                        "\(rate) Hz\(hasServer ? ", with a server that nobody looks at" : ""): \(usage.megabytes.short) MB resident, \(usage.wakeups.short) wake-ups a second; "
                            + "processor in a second", usage.processor, target: .nanoseconds(5e6)))
            }
        }
        return rows
    }

    private struct Usage {
        let megabytes: Double
        let wakeups: Double
        let processor: Double
    }

    private static func watch(
        _ agent: String, rate: Int, hasServer: Bool, in folder: String
    ) async throws -> Usage {
        let file = folder + "/trackd.yaml"
        let configuration = """
            device:
              id: bench
            sources:
              - type: simulated
                rate: \(rate)
            store:
              path: \(folder)/store
            control:
              socket: \(folder)/control
            \(hasServer ? "sinks: [{type: server, directory: \(folder)/server, port: 0}]" : "")

            """
        try configuration.write(toFile: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: agent)
        process.arguments = ["run", "--config", file]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)  // as Broker.stop does, and its store is made for it
            process.waitUntilExit()
        }
        try await Task.sleep(for: .seconds(15))  // what only the start needs is given back by then
        let before = counters(of: process.processIdentifier)
        try await Task.sleep(for: .seconds(seconds))
        let after = counters(of: process.processIdentifier)
        precondition(process.isRunning, "trackd did not take its configuration")
        return Usage(
            megabytes: after.resident / 1024, wakeups: (after.switches - before.switches) / Double(seconds),
            processor: (after.processor - before.processor) / Double(seconds))
    }

    /// Resident kilobytes, voluntary switches and nanoseconds on the processor, over all threads.
    private static func counters(of process: Int32) -> (resident: Double, switches: Double, processor: Double) {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []  // gone: 0
        let folders = threads.map { "/proc/\(process)/task/\($0)" }
        return (
            number(after: "VmRSS:", in: "/proc/\(process)/status"),
            folders.reduce(0) { $0 + number(after: "voluntary_ctxt_switches:", in: $1 + "/status") },
            folders.reduce(0) { $0 + number(after: "", in: $1 + "/schedstat") }
        )
    }

    /// The number behind a word in a file of the system's; 0 where there is none.
    static func number(after key: String, in file: String) -> Double {
        // A thread may have ended since the folder was read; it counts as nothing.
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) } ?? ""
        return line.dropFirst(key.count).split(whereSeparator: \.isWhitespace).first.flatMap { Double($0) } ?? 0
    }
}
