import TrackEngine

/// The process is killed at its n-th changing call, for every n.
package struct KillAtCallPart: TorturePart {
    package let name = "kill-at-call"
    package let summary = """
        SIGKILL at the n-th write, sync, truncation, creation, renaming or removal of open, append, settle, prune, \
        checkpoint, migration, salvage and close, for every n
        """
    package let bar = "0 accepted lost, 0 settled again, 0 numbers used again, opens every time"

    private static let counts = CallCounts()

    package init() {}

    package func tries(at scale: TortureScale, on bench: TortureBench) async throws -> [Int] {
        var tries: [Int] = []
        for (index, scenario) in Scenario.allCases.enumerated() {
            let calls = try await Self.counts.outcome(CallPlan.plan(scenario, seed: bench.seed), on: bench).changes
            let all = (1...max(1, calls)).map { index * CallPlan.stride + $0 }
            tries += scale == .full ? all : all.spread(over: 8)
        }
        return tries
    }

    package func attempt(_ number: Int, on bench: TortureBench) async throws -> TryResult {
        let scenario = Scenario.allCases[number / CallPlan.stride % Scenario.allCases.count]
        let call = number % CallPlan.stride
        return try await kill(CallPlan.plan(scenario, seed: bench.seed), at: call, on: bench)
    }

    /// Kills a workload at a call and judges what it leaves.
    func kill(_ plan: Workload.Plan, at call: Int, on bench: TortureBench) async throws -> TryResult {
        try await bench.withFolder { folder in
            let store = try await PreparedStore.make(plan.scenario, in: folder, seed: plan.seed)
            let process = WorkloadProcess(plan, on: bench, folder: folder)
            let outcome = try await process.run(on: store, fault: .init(.kill, at: call))
            var result = TryResult(counts: [plan.scenario.rawValue: 1])
            guard outcome.exitCode == -9 || outcome.exitCode == 0 else {
                result.violations = ["ended with \(outcome.exitCode ?? 0): \(outcome.output.prefix(200))"]
                return result
            }
            let judge = StoreJudge(
                ledger: outcome.ledger, fault: .process, allowedLosses: store.allowedLosses)
            result.violations = await judge.violations(of: store.directory).map {
                "killed at call \(call) of \(plan.scenario): \($0)"
            }
            return result
        }
    }
}

extension Array {
    /// At most so many elements, from everywhere.
    func spread(over number: Int) -> [Element] {
        guard count > number, number > 0 else { return self }
        return (0..<number).map { self[$0 * count / number] }
    }
}
