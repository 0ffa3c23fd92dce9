package import TrackEngine
import TrackEngineSettings

/// The first problems of a file in full, the others as a count.
package struct ProblemList: Sendable {
    /// The number of problems that are shown in full.
    static let limit = 10

    private let file: String
    private var counts: [SourceProblem.Kind: Int] = [:]
    private var shown = 0

    package init(file: String) {
        self.file = file
    }

    /// Counts a problem; returns its line of text if it is one of the first.
    package mutating func note(_ problem: SourceProblem) -> String? {
        counts[problem.kind, default: 0] += 1
        guard shown < Self.limit else { return nil }
        shown += 1
        let place = problem.line.map { "\(file):\($0)" } ?? file
        return "\(place): \(problem.kind.rawValue): \(problem.message)"
    }

    /// The problems that have not been shown; `nil` if all were.
    package var rest: String? {
        let total = counts.values.reduce(0, +)
        guard total > shown else { return nil }
        let kinds = SourceProblem.Kind.allCases.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } }
        return "\(file): and \((total - shown).counted("more problem")) (\(kinds.joined(separator: ", ")) in all)"
    }
}
