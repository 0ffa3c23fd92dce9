/// What a run of one part has shown.
package struct PartReport: Sendable {
    /// A try that found something.
    package struct Failure: Sendable {
        package let number: Int
        package let violations: [String]
    }

    package let name: String
    package let summary: String
    package let bar: String
    package let seed: UInt64
    package private(set) var tries = 0
    package private(set) var failures: [Failure] = []
    package private(set) var counts: [String: Int] = [:]
    /// The tries that this machine cannot make, by the reason.
    package private(set) var notRun: [String: Int] = [:]
    package var duration = Duration.zero
    private let part: any TorturePart

    package init(part: any TorturePart, seed: UInt64) {
        (name, summary, bar) = (part.name, part.summary, part.bar)
        self.seed = seed
        self.part = part
    }

    package mutating func add(_ result: TryResult, of number: Int) {
        if let reason = result.notRun {
            notRun[reason, default: 0] += 1
            return
        }
        tries += 1
        counts.merge(result.counts, uniquingKeysWith: +)
        if !result.violations.isEmpty { failures.append(Failure(number: number, violations: result.violations)) }
    }

    /// Bars that only the sums can miss.
    package var shortfalls: [String] { part.shortfalls(of: counts) }

    package var isPassed: Bool { failures.isEmpty && shortfalls.isEmpty }

    /// Whether the bar was met, and which tries were not made.
    package var verdict: String {
        let skipped = notRun.sorted { $0.key < $1.key }.map { "\($0.value) not run: \($0.key)" }
            .joined(separator: "; ")
        if !isPassed { return failures.isEmpty ? "**missed**" : "**\(failures.count) failed**" }
        if tries == 0 { return "**\(skipped.isEmpty ? "not run" : skipped)**" }
        return skipped.isEmpty ? "met" : "met, but **\(skipped)**"
    }

    /// How to see a failure again.
    package func replay(_ failure: Failure) -> String {
        "torture \(name) --seed \(seed) --try \(failure.number)"
    }

    /// The figures as text.
    package var figures: String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}

/// The report as a Markdown document.
package struct TortureReport {
    package var parts: [PartReport] = []
    package init() {}

    package var markdown: String {
        """
        # What `make torture` found

        Each part makes many tries; a try that fails names the command that makes it again. `make torture` rewrites this file.

        | part | tries | what is done and looked at | bar | result | seed | seconds |
        |---|---|---|---|---|---|---|
        \(parts.map(row).joined(separator: "\n"))

        ## Figures

        \(parts.map { "- **\($0.name)**: \($0.figures)" }.joined(separator: "\n"))
        \(failures)
        """
    }

    private func row(_ part: PartReport) -> String {
        let seconds = part.duration.components.seconds
        return "| \(part.name) | \(part.tries) | \(part.summary) | \(part.bar) | \(part.verdict) | \(part.seed) "
            + "| \(seconds) |"
    }

    private var failures: String {
        let failed = parts.filter { !$0.isPassed }
        guard !failed.isEmpty else { return "" }
        var lines = ["", "## What failed", ""]
        for part in failed {
            lines += part.shortfalls.map { "- \(part.name): \($0)" }
            lines += part.failures.prefix(20).map { failure in
                "- `\(part.replay(failure))`: \(failure.violations.prefix(3).joined(separator: "; "))"
            }
            if part.failures.count > 20 { lines.append("- \(part.name): \(part.failures.count - 20) more") }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
