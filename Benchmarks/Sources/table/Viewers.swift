import CYardsticks
import Foundation

/// Viewers of a server's live page, in a process of their own: what they cost is not the server's.
///
/// The same program again, `table viewers PORT KEY READING SILENT`, of which all is in C.
final class Viewers: @unchecked Sendable {  // one task at a time has it
    static let command = "viewers"

    /// A place that reached a viewer.
    struct Arrival {
        /// Millionths of a degree, by which the places of a measurement are told apart.
        let longitude: Int
        /// On the monotonic clock.
        let nanoseconds: UInt64
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// What the process does; returns its exit status.
    static func run(_ arguments: [String]) -> Int32 {
        let numbers = arguments.compactMap { Int32($0) }
        guard arguments.count == 4, let port = Int32(arguments[0]), numbers.count >= 3 else { return 64 }
        return cyardsticks_viewers_run(port, arguments[1], numbers[numbers.count - 2], numbers[numbers.count - 1])
    }

    /// Opens them; returns when each that reads has had a sign of life.
    ///
    /// - Parameters:
    ///   - reading: how many take all that comes.
    ///   - silent: how many ask and never read.
    init(port: Int, key: String, reading: Int, silent: Int = 0) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [Self.command, "\(port)", key, "\(reading)", "\(silent)"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        precondition(line == "ready\n", "a viewer is refused")
    }

    /// Ends them.
    func leave() throws -> (events: Int, lost: Int, arrivals: [Arrival]) {
        try input.fileHandleForWriting.close()
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
        process.waitUntilExit()
        precondition(process.terminationStatus == 0 && lines.allSatisfy { $0.count == 2 }, "the viewers have failed")
        let arrivals = lines.dropFirst().map { Arrival(longitude: $0[0], nanoseconds: UInt64($0[1])) }
        return (lines[0][0], lines[0][1], arrivals)
    }
}
