import TestSupport
import Testing
import TortureKit
import TrackEngineTestKit

@Suite struct TortureRunTests {
    /// A part whose second try ends its process, whose third hangs, whose fourth finds something and whose fifth this
    /// machine cannot make.
    @Test func `a worker's end is the failure of its current try, and the others are made all the same`() async throws {
        let program = TestEnvironment.builtProduct("torture")
        let report = try await TortureBench.with(seed: 1, program: program) { bench in
            try await TortureRun(part: FaultyPart(), bench: bench, scale: .short).inWorkers(1)
        }
        #expect(report.tries == 4)
        #expect(report.counts == ["made": 2])
        #expect(report.notRun == ["there is no such machine": 1])
        #expect(report.failures.map(\.number) == [1, 2, 3])
        #expect(report.failures.first?.violations.first?.hasPrefix("the process died of signal") == true)
        #expect(report.failures.dropFirst().first?.violations == ["the process hung for 5 s"])
        #expect(report.failures.last?.violations == ["found something"])
        #expect(report.failures.last.map(report.replay) == "torture faulty --seed 1 --try 3")
    }

    @Test func `the report says which tries were not made`() {
        var report = PartReport(part: FaultyPart(), seed: 1)
        report.add(.notRun("no root"), of: 0)
        expectMessage(report.verdict, as: "no try was made")
        report.add(TryResult(counts: ["made": 1]), of: 1)
        expectMessage(report.verdict, as: "one of two tries was made")
        var whole = TortureReport()
        whole.parts = [report]
        #expect(whole.markdown.contains("| met, but **1 not run: no root** | 1 | 0 |"))
        report.add(TryResult(violations: ["lost"]), of: 2)
        #expect(report.verdict == "**1 failed**")
    }

    @Test func `a part that needs a mount is not run without root, and says so`() async throws {
        let program = TestEnvironment.builtProduct("torture")
        let result = try await TortureBench.with(seed: 1, program: program) { bench in
            try await DiskPart(mayMount: false).attempt(0, on: bench)
        }
        #expect(result.notRun == "mounting needs root")
        #expect(result.counts == [:])
    }

    @Test(.enabled(if: TestEnvironment.isOptimised), .timeLimit(.minutes(30)))
    func `the line of a part comes when it ends, also into a pipe`() async throws {
        let run = try ChildProcess(
            TestEnvironment.builtProduct("torture"),
            ["run", "all", "--only", "model,power-cuts", "--scale", "short", "--workers", "1"])
        var isAlone = false
        await eventually("the first line comes, it printed: \(run.text)", from: run) {
            let text = run.text
            if text.contains("model: met"), !text.contains("power-cuts:") { isAlone = true }
            return isAlone || run.exitCode != nil
        }
        #expect(isAlone)
        await eventually("it ends") { run.exitCode != nil }
    }

    @Test(.timeLimit(.minutes(30))) func `a part that waits does not hold up the others`() async throws {
        let (signal, opener) = AsyncStream<Never>.makeStream()
        let parts = [
            GatedPart(name: "waiting", isMostlyWaiting: true) { for await _ in signal {} },
            GatedPart(name: "busy", isMostlyWaiting: false) { opener.finish() },
        ]
        let whole = try await TortureBench.with(seed: 1, program: TestEnvironment.builtProduct("torture")) { bench in
            try await WholeRun(parts, on: bench, scale: .short, workers: 1).report { _ in }
        }
        #expect(whole.parts.map(\.name) == ["waiting", "busy"])
    }
}

/// A part without tries, which says so after an event.
private struct GatedPart: TorturePart {
    let name: String
    let isMostlyWaiting: Bool
    let event: @Sendable () async -> Void
    let summary = "nothing"
    let bar = "none"

    func tries(at scale: TortureScale, on bench: TortureBench) async -> [Int] {
        await event()
        return []
    }

    func attempt(_ number: Int, on bench: TortureBench) -> TryResult { TryResult() }
}
