import Foundation
import Measure

/// Debian's mosquitto on a free port of the loopback interface.
final class Broker {
    let port: Int
    private let process: Process

    /// Starts one; `nil` where none is installed.
    init?(in folder: String) async throws {
        guard let program = Self.find("mosquitto") else { return nil }
        port = 20_000 + Int.random(in: 0..<20_000)
        let file = folder + "/mosquitto.conf"
        try "listener \(port) 127.0.0.1\nallow_anonymous true\npersistence false\nlog_type error\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-c", file]
        try process.run()
        try await Task.sleep(for: .seconds(1))  // it listens long before
    }

    /// Ends it the hard way: started from a thread of Dispatch's it has inherited that thread's mask, and SIGTERM with it.
    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// What a message of 255 bytes takes when the broker's own tool publishes it, in nanoseconds; `nil` without the tool.
    ///
    /// The tool ends at the PUBACK of the last line's packet identifier. With more lines than there are identifiers
    /// (65 535) it takes an earlier message's for that, and throws the rest away: 200 000 lines in one go end after 3 395
    /// PUBACKs. So it is run several times, what a run with one line takes is no message's, and a run that shows its
    /// PUBACKs proves that none is missing.
    func publishing(_ count: Int) throws -> Double? {
        guard let program = Self.find("mosquitto_pub") else { return nil }
        let (runs, lines) = (count / Self.linesOfARun, Self.linesOfARun)
        let input = try Self.file(lines: lines)
        let one = try Self.file(lines: 1)
        defer { for file in [input, one] { try? FileManager.default.removeItem(atPath: file) } }  // in the way, no more
        let taken = try publish(program, input, ["-d"]).output.split(separator: "\n")
            .count { $0.contains("received PUBACK") }
        precondition(taken == lines, "\(taken) of \(lines) PUBACKs")
        var time = 0.0
        for _ in 0..<runs { time += try publish(program, input).nanoseconds - publish(program, one).nanoseconds }
        return time / Double(runs * lines)
    }

    /// Fewer than there are packet identifiers.
    private static let linesOfARun = 50_000

    private static func file(lines: Int) throws -> String {
        let path = NSTemporaryDirectory() + "/track-engine-bench-\(UUID().uuidString)"
        let line = String(repeating: "x", count: 255) + "\n"
        try String(repeating: line, count: lines).write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    private func publish(
        _ program: String, _ input: String, _ more: [String] = []
    ) throws -> (nanoseconds: Double, output: String) {
        let publisher = Process()
        publisher.executableURL = URL(fileURLWithPath: program)
        publisher.arguments = ["-V", "5", "-l", "-q", "1", "-p", String(port), "-t", "bench"] + more
        publisher.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: input))
        let output = Pipe()
        publisher.standardOutput = output
        let start = nanoseconds()
        try publisher.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        publisher.waitUntilExit()
        return (Double(nanoseconds() - start), String(decoding: text, as: UTF8.self))
    }

    private static func find(_ name: String) -> String? {
        ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
