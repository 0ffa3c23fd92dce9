import TestSupport
import Testing
import TortureKit

@Suite struct TortureRunTests {
    /// A part whose second try ends its process, whose third hangs and whose fourth finds something.
    @Test func `a worker's end is the failure of its current try, and the others are made all the same`() async throws {
        let program = TestEnvironment.builtProduct("torture")
        let report = try await TortureBench.with(seed: 1, program: program) { bench in
            try await TortureRun(part: FaultyPart(), bench: bench, scale: .short).inWorkers(1)
        }
        #expect(report.tries == 4)
        #expect(report.counts == ["made": 2])
        #expect(report.failures.map(\.number) == [1, 2, 3])
        #expect(report.failures.first?.violations.first?.hasPrefix("the process died of signal") == true)
        #expect(report.failures.dropFirst().first?.violations == ["the process hung for 5 s"])
        #expect(report.failures.last?.violations == ["found something"])
        #expect(report.failures.last.map(report.replay) == "torture faulty --seed 1 --try 3")
    }
}
