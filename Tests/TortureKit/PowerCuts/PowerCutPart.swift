import Foundation
import TrackEngine
import TrackEngineSimulated

/// The power goes at any call of a workload.
package struct PowerCutPart: TorturePart {
    package let name = "power-cuts"
    package let summary = """
        the calls of a workload are recorded; a disk with any prefix of them, unsynced sectors and names kept, lost or \
        torn, is opened
        """
    package let bar = "0 accepted lost, 0 numbers used again, 0 that do not open, every phase cut"

    private static let recordings = Recordings()
    /// The words of ``LedgerEntry/phase(_:)`` and "checkpoint", all of which a full run must have cut.
    static let phases = [
        "ordinary", "open", "append", "settle", "prune", "checkpoint", "close", "migration", "salvage", "quota",
    ]

    package init() {}

    package func tries(at scale: TortureScale, on bench: TortureBench) -> [Int] {
        Array(0..<(scale == .full ? 10_000 : 120))
    }

    package func shortfalls(of counts: [String: Int]) -> [String] {
        let missing = Self.phases.filter { counts["in \($0)"] == nil }
        return missing.isEmpty ? [] : ["no cut in: \(missing.joined(separator: ", "))"]
    }

    package func attempt(_ number: Int, on bench: TortureBench) async throws -> TryResult {
        // A few workloads of each scenario; the tries of one workload follow each other, so that a process records few.
        let scenario = Scenario.allCases[number % Scenario.allCases.count]
        let seed = bench.seed &+ UInt64(number / Scenario.allCases.count % 4)
        let steps = scenario == .ordinary ? 120 : 40
        let plan = Workload.Plan(scenario: scenario, seed: seed, steps: steps)
        let recording = try await Self.recordings.recording(plan, on: bench)
        var random = bench.random(name, number)
        return try await PowerCut(recording: recording).attempt(on: bench, using: &random)
    }
}

/// One cut in a recording, and the judgement about it.
struct PowerCut {
    let recording: Recording

    func attempt(on bench: TortureBench, using random: inout SplitMix64) async throws -> TryResult {
        let cut = recording.cut(using: &random)
        let survival = DiskImage.Survival.allCases.randomElement(using: &random) ?? .nothing
        var chance = random
        var result = TryResult(counts: ["in \(recording.phase(at: cut))": 1])
        let violations = try await bench.withFolder { folder in
            try recording.write(cut: cut, survival, to: folder + "/store", using: &chance)
            return await StoreJudge(
                ledger: recording.ledger(at: cut), fault: .powerCut, allowedLosses: recording.store.allowedLosses
            ).violations(of: folder + "/store")
        }
        random = chance
        result.violations = violations.map {
            "cut at call \(cut) of \(recording.calls.count) in \(recording.phase(at: cut)), \(survival) kept: \($0)"
        }
        return result
    }
}
