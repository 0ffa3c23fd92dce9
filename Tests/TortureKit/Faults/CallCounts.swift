import Foundation

/// The calls of each scenario's workload in a run without faults: how far the n of "the n-th call" goes.
actor CallCounts {
    private var known: [String: WorkloadProcess.Outcome] = [:]

    /// Runs the plan once in a process and returns how it went.
    func outcome(_ plan: Workload.Plan, on bench: TortureBench) async throws -> WorkloadProcess.Outcome {
        let key = "\(plan.scenario) \(plan.seed) \(plan.steps)"
        if let outcome = known[key] { return outcome }
        let outcome = try await bench.withFolder { folder in
            let store = try await PreparedStore.make(plan.scenario, in: folder, seed: plan.seed)
            return try await WorkloadProcess(plan, on: bench, folder: folder).run(on: store)
        }
        guard outcome.exitCode == 0 else {
            throw NotRunnable("the workload without faults ended with \(outcome.exitCode ?? 0): \(outcome.output)")
        }
        known[key] = outcome
        return outcome
    }
}

/// What the parts about the n-th call share: small workloads, and tries that are numbered scenario by scenario.
enum CallPlan {
    /// More calls than any of the workloads makes.
    static let stride = 100_000

    static func plan(_ scenario: Scenario, seed: UInt64) -> Workload.Plan {
        Workload.Plan(scenario: scenario, seed: seed, steps: scenario == .quota ? 30 : 16)
    }
}
