import Foundation
import TrackEngineMQTT

/// A drain in a process of its own, so that what it takes of the memory is the drain's.
///
/// The same program again: `table drain FORMAT PORT FOLDER COUNT` prints nanoseconds a record, and by how many kilobytes
/// the memory has grown beyond what a drain of a hundredth of the records had taken.
enum DrainProcess {
    static let command = "drain"

    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 4, let format = RecordFormat(rawValue: arguments[0]), let port = Int(arguments[1]),
            let count = Int(arguments[3])
        else { throw CocoaError(.featureUnsupported) }
        _ = try await DrainSuite.publish(format, to: port, in: arguments[2] + "/warm-up", count: count / 100)
        let before = peak
        let time = try await DrainSuite.publish(format, to: port, in: arguments[2] + "/all", count: count)
        print(time, peak - before)
    }

    /// Starts it and reads what it prints.
    static func measure(
        _ format: RecordFormat, port: Int, in folder: String, count: Int
    ) throws -> (nanoseconds: Double, kilobytes: Double)? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [command, "\(format)", "\(port)", folder, "\(count)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }

    /// The most that was resident at a time, in kilobytes.
    private static var peak: Double { AgentProcess.number(after: "VmHWM:", in: "/proc/self/status") }
}
