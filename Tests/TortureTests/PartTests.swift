import TestSupport
import Testing
import TortureKit

/// Each part in its short form.
@Suite struct PartTests {
    @Test(.enabled(if: TestEnvironment.isOptimised), arguments: TortureCatalogue.parts.map(\.name))
    func `the short form of each part finds nothing`(_ name: String) async throws {
        let part = try #require(TortureCatalogue.part(name))
        let program = TestEnvironment.builtProduct("torture")
        let report = try await TortureBench.with(seed: 1, program: program) { bench in
            try await TortureRun(part: part, bench: bench, scale: .short).inWorkers(1)
        }
        #expect(report.tries > 0)
        for failure in report.failures {
            Issue.record("\(report.replay(failure)): \(failure.violations.joined(separator: "; "))")
        }
        #expect(report.shortfalls == [])
    }
}
