import ArgumentParser
import Foundation
import TortureKit

/// Runs parts and reports.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs one part or all: \(TortureCatalogue.parts.map(\.name).joined(separator: ", ")), all.")

    @Argument(help: "The part, or all.") var part = "all"
    @Option(help: "The seed from which all chance follows.") var seed: UInt64 = 1
    @Option(help: "How much is done.") var scale = TortureScale.full
    @Option(help: "With all: parts to run, separated by commas.") var only: String?
    @Option(name: .customLong("try"), help: "Makes one try of a part again, in this process.") var number: Int?
    @Option(help: "How many processes work at a time.") var workers = 2
    @Option(help: "A file that gets the report as Markdown.") var report: String?

    func validate() throws {
        for name in names where TortureCatalogue.part(name) == nil {
            throw ValidationError("There is no part '\(name)'.")
        }
        if number != nil && names.count != 1 { throw ValidationError("--try needs one part.") }
    }

    private var names: [String] {
        if part != "all" { return [part] }
        return only?.split(separator: ",").map(String.init) ?? TortureCatalogue.parts.map(\.name)
    }

    func run() async throws {
        let parts = names.compactMap(TortureCatalogue.part)
        let whole = try await TortureBench.with(seed: seed, program: Self.program) { bench in
            if let number { return try await again(number, of: parts, on: bench) }
            return try await WholeRun(parts, on: bench, scale: scale, workers: workers).report(Self.show)
        }
        if let report { try whole.markdown.write(toFile: report, atomically: true, encoding: .utf8) }
        guard whole.parts.allSatisfy(\.isPassed) else { throw ExitCode.failure }
    }

    private static var program: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    }

    /// One try, and what it found.
    private func again(_ number: Int, of parts: [any TorturePart], on bench: TortureBench) async throws -> TortureReport
    {
        var whole = TortureReport()
        for part in parts {
            var report = PartReport(part: part, seed: seed)
            report.add(try await part.attempt(number, on: bench), of: number)
            for failure in report.failures { print(failure.violations.joined(separator: "\n")) }
            let words = report.tries == 0 ? report.verdict : "found nothing; \(report.figures)"
            if report.failures.isEmpty { print(words) }
            // The bars for the sums are for whole runs.
            guard report.failures.isEmpty else { throw ExitCode.failure }
            whole = TortureReport()
        }
        return whole
    }

    @Sendable private static func show(_ report: PartReport) {
        let seconds = report.duration.components.seconds
        print("\(report.name): \(report.verdict), \(report.tries) tries in \(seconds) s; \(report.figures)")
        for shortfall in report.shortfalls { print("  \(shortfall)") }
        for failure in report.failures.prefix(20) {
            print("  \(report.replay(failure))")
            for violation in failure.violations.prefix(3) { print("    \(violation)") }
        }
        if report.failures.count > 20 { print("  … \(report.failures.count) failed tries in all") }
        fflush(nil)  // a file or a pipe would get the lines of an hour at its end
    }
}
