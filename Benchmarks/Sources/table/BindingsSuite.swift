import Foundation
import Measure

/// The engine through its C interface, as `Bindings/figures` measures it.
enum BindingsSuite {
    static func rows() throws -> [Row] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "Bindings/figures")
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return text.split(separator: "\n").compactMap { row($0.split(separator: "\t")) }
    }

    /// A line has the kind, the subject, the figure and, if there is one, that of the yardstick.
    private static func row(_ fields: [Substring]) -> Row? {
        guard fields.count >= 3, let figure = Double(fields[2]) else { return nil }
        let yardstick = fields.count > 3 ? Double(fields[3]) : nil
        switch fields[0] {
        case "filter":
            let isDefault = fields[1] == "{}"
            return Row(
                "Bindings", "filter through C, batches of 256, settings `\(fields[1])`", figure,
                beside: yardstick.map { ("the same fixes through the pipeline in Swift", $0) },
                target: isDefault ? .timesYardstick(1.15) : .none)
        case "python": return Row("Bindings", "filter from Python, \(fields[1])", figure, target: .perSecond(1e7))
        case "dist":
            return Row("Bindings", "\(fields[1]) with the SQLite store, stripped", figure, target: .bytes(14e6))
        case "dist-core": return Row("Bindings", "\(fields[1]) without it", figure, target: .bytes(9e6))
        case "resident":
            return Row("Bindings", "a tracker in C with its store in memory, \(fields[1])", figure, target: .bytes(8e6))
        default: return nil
        }
    }
}
