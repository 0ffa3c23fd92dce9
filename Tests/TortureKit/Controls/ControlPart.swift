import TrackEngineSimulated

/// Stores that break the promise on purpose are caught by the same parts that the true one passes.
package struct ControlPart: TorturePart {
    package let name = "controls"
    package let summary = """
        the same workloads, cuts and kills with every sync or half of them removed, an append that returns before its commit, \
        a cursor that moves before the delivery, a repair in the store's place
        """
    package let bar = "each is caught"
    package let patience = 300.0

    /// What is broken, and which part has to notice.
    enum Control: String, CaseIterable {
        case noSync = "sync none"
        case halfSync = "sync half"
        case confirmsBeforeCommit = "confirm-before-commit"
        case settlesBeforeDelivery = "settle-before-delivery"
        case salvagesInPlace = "salvage-in-place"
    }

    private static let recordings = Recordings()

    package init() {}

    package func tries(at scale: TortureScale, on bench: TortureBench) -> [Int] { Array(Control.allCases.indices) }

    package func attempt(_ number: Int, on bench: TortureBench) async throws -> TryResult {
        let control = Control.allCases[number % Control.allCases.count]
        let caughtAfter =
            switch control {
            case .noSync: try await cutPower(sync: "none", on: bench)
            case .halfSync: try await cutPower(sync: "half", on: bench)
            case .confirmsBeforeCommit: try await kill(.ordinary, .confirmsBeforeCommit, on: bench)
            case .settlesBeforeDelivery: try await kill(.ordinary, .settlesBeforeDelivery, on: bench)
            case .salvagesInPlace: try await kill(.salvage, .salvagesInPlace, on: bench)
            }
        guard let caughtAfter else { return TryResult(violations: ["\(control.rawValue) is not caught"]) }
        return TryResult(counts: ["\(control.rawValue) caught at try": caughtAfter])
    }

    /// Cuts the power of a workload some of whose syncs do nothing; returns the number of the first cut that shows it.
    private func cutPower(sync: String, on bench: TortureBench) async throws -> Int? {
        let plan = Workload.Plan(scenario: .ordinary, seed: bench.seed, steps: 120)
        let recording = try await Self.recordings.recording(plan, on: bench, sync: sync)
        for number in 1...400 {
            var random = bench.random(sync, number)
            let result = try await PowerCut(recording: recording).attempt(on: bench, using: &random)
            if !result.violations.isEmpty { return number }
        }
        return nil
    }

    /// Kills a mutant at one call after the other; returns the number of the first kill that shows it and that the true
    /// store passes.
    private func kill(_ scenario: Scenario, _ mutant: Mutant, on bench: TortureBench) async throws -> Int? {
        var plan = CallPlan.plan(scenario, seed: bench.seed)
        plan.mutant = mutant
        for call in 1...400 {
            let result = try await KillAtCallPart().kill(plan, at: call, on: bench)
            guard !result.violations.isEmpty else { continue }
            let truth = try await KillAtCallPart().kill(CallPlan.plan(scenario, seed: bench.seed), at: call, on: bench)
            if truth.violations.isEmpty { return call }
        }
        return nil
    }
}
