import Foundation
import Measure

/// The file with the results.
struct ResultsTable {
    /// The suites in the order of the file.
    private let order: [String]
    private var lines: [String: [String]] = [:]

    /// - Parameter order: names of suites or, behind a dot, of parts of them, in their order.
    init(order: [String]) {
        var seen: Set<String> = []
        self.order = order.map { String($0.prefix { $0 != "." }) }.filter { seen.insert($0).inserted }
    }

    mutating func add(_ row: Row) { lines[row.suite, default: []].append(row.tableLine) }

    /// Writes the file.
    ///
    /// - Parameter isWhole: whether everything was measured. If not, the file's rows of other suites stay, and its heading.
    func write(to path: String, isWhole: Bool) throws {
        var (heading, all) = (Machine.heading, lines)
        if !isWhole {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }  // nothing to go into
            let (known, head) = (text.components(separatedBy: "\n"), Row.tableHead.components(separatedBy: "\n")[0])
            guard let start = known.firstIndex(of: head) else { return }
            heading = known[..<start].map { $0 + "\n" }.joined()
            for suite in order where lines[suite] == nil {
                all[suite] = known.filter { $0.hasPrefix("| \(suite) |") }
            }
        }
        let rows = order.flatMap { all[$0] ?? [] }
        let text =
            heading + ([Row.tableHead] + rows).joined(separator: "\n") + "\n" + StopScores.section(beside: path)
            + Remarks.text
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
