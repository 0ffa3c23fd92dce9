/// One part of the torture: many independent tries, each with a number, each of which finds out whether the promise held.
///
/// A part is a value that any process can make from the catalogue. What a try does follows from the seed, the part's name
/// and the try's number and from nothing else, so that a number and a seed are enough to see a failure again. A try may
/// be ended by a trap or may hang: the tries of a full run happen in worker processes (see ``TortureRun``).
package protocol TorturePart: Sendable {
    /// The word for it on the command line and in the report.
    var name: String { get }
    /// What is done and looked at, in one sentence for the report.
    var summary: String { get }
    /// What must hold for the part to pass, for the report.
    var bar: String { get }
    /// After how many seconds a try is taken for hanging.
    var patience: Double { get }
    /// Whether a try waits most of the time, so that other parts may run beside this one.
    var isMostlyWaiting: Bool { get }
    /// The numbers of the tries that make up a run; they need not be without gaps.
    func tries(at scale: TortureScale, on bench: TortureBench) async throws -> [Int]
    /// Does one try. Throwing means that the try could not be made, which counts as a failure too.
    func attempt(_ number: Int, on bench: TortureBench) async throws -> TryResult
    /// Whether a run with these sums met the bar, apart from failed tries: what is wrong, or nothing.
    func shortfalls(of counts: [String: Int]) -> [String]
}

extension TorturePart {
    package var patience: Double { 90 }
    package var isMostlyWaiting: Bool { false }
    package func shortfalls(of counts: [String: Int]) -> [String] { [] }
}

/// How much is done.
package enum TortureScale: String, Sendable, CaseIterable {
    /// A few seconds a part, for `make test`.
    case short
    /// What the bars ask for.
    case full
}

/// What a try has found.
package struct TryResult: Sendable {
    /// What was promised and did not hold; empty when everything did.
    package var violations: [String] = []
    /// Figures that are summed over all tries.
    package var counts: [String: Int] = [:]
    /// Why this machine cannot make the try; `nil` when it was made.
    package var notRun: String?

    package init(violations: [String] = [], counts: [String: Int] = [:]) {
        self.violations = violations
        self.counts = counts
    }

    /// A try that this machine cannot make, and why: the report names it.
    package static func notRun(_ reason: String) -> TryResult {
        var result = TryResult()
        result.notRun = reason
        return result
    }

    /// Adds to a figure.
    package mutating func count(_ name: String, _ number: Int = 1) { counts[name, default: 0] += number }
}

/// Why a part or a try cannot be made on this machine, such as a missing compiler.
package struct NotRunnable: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
