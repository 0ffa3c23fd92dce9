import Foundation

/// The scores of stays and trips, which `make bench-stops` writes into a file of their own.
enum StopScores {
    /// The table of all tracks and the sentence on what is reached, out of `STOPS.md` beside the results; empty where there is none.
    static func section(beside results: String) -> String {
        let file = URL(fileURLWithPath: results).deletingLastPathComponent().appendingPathComponent("STOPS.md")
        // Not measured yet: there is nothing to show.
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return "" }
        let lines = text.components(separatedBy: "\n")
        let table = lines.drop { !$0.hasPrefix("| detector |") }.prefix { $0.hasPrefix("|") }
        let reached = lines.first { $0.hasPrefix("To reach is") } ?? ""
        guard !table.isEmpty else { return "" }
        let sentence = reached.components(separatedBy: ". ").first ?? reached
        return """

            ## Stays and trips

            By `make bench-stops`; tracks, rules, held-out tracks and each kind's scores are in [STOPS.md](STOPS.md).

            \(table.joined(separator: "\n"))

            \(sentence).

            """
    }
}
