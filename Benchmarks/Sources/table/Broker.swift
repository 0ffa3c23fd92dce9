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
    func publishing(_ count: Int) throws -> Double? {
        guard let program = Self.find("mosquitto_pub") else { return nil }
        let input = NSTemporaryDirectory() + "/track-engine-bench-\(UUID().uuidString)"
        let line = String(repeating: "x", count: 255) + "\n"
        try String(repeating: line, count: count).write(toFile: input, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: input) }  // left behind, it is only in the way
        let publisher = Process()
        publisher.executableURL = URL(fileURLWithPath: program)
        publisher.arguments = ["-V", "5", "-l", "-q", "1", "-p", String(port), "-t", "bench"]
        publisher.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: input))
        let start = nanoseconds()
        try publisher.run()
        publisher.waitUntilExit()
        return Double(nanoseconds() - start) / Double(count)
    }

    private static func find(_ name: String) -> String? {
        ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
