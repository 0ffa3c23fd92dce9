import Foundation

/// `trackd run`, as its users run it.
final class AgentProcess {
    private let process = Process()

    /// Starts it with a configuration; `nil` where it is not built.
    init?(_ configuration: String, in folder: String) throws {
        let agent = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/trackd"
        guard FileManager.default.isExecutableFile(atPath: agent) else { return nil }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = folder + "/trackd.yaml"
        try configuration.write(toFile: file, atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: agent)
        process.arguments = ["run", "--config", file]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// A configuration: a simulated vehicle or another source, a store in a folder and, with a port, a server.
    static func configuration(in folder: String, source: String, serverPort: Int? = nil) -> String {
        """
        device:
          id: bench
        sources:
          - \(source)
        store:
          path: \(folder)/store
        control:
          socket: \(folder)/control
        \(serverPort.map { "sinks: [{type: server, directory: \(folder)/server, port: \($0)}]" } ?? "")

        """
    }

    /// Resident kilobytes, voluntary switches and nanoseconds on the processor, over all threads.
    var counters: (resident: Double, switches: Double, processor: Double) {
        precondition(process.isRunning, "trackd did not take its configuration")
        let folder = "/proc/\(process.processIdentifier)"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/task")) ?? []  // gone: 0
        let folders = threads.map { "\(folder)/task/\($0)" }
        return (
            Self.number(after: "VmRSS:", in: folder + "/status"),
            folders.reduce(0) { $0 + Self.number(after: "voluntary_ctxt_switches:", in: $1 + "/status") },
            folders.reduce(0) { $0 + Self.number(after: "", in: $1 + "/schedstat") }
        )
    }

    /// The number behind a word in a file of the system's; 0 where there is none.
    static func number(after key: String, in file: String) -> Double {
        // A thread may have ended since the folder was read; it counts as nothing.
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) } ?? ""
        return line.dropFirst(key.count).split(whereSeparator: \.isWhitespace).first.flatMap { Double($0) } ?? 0
    }

    /// Ends it the hard way, as `Broker.stop` does; its store is made for it.
    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
