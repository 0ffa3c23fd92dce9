import TrackEngine

/// The n-th call fails, for every n, and the process goes on.
package struct FailAtCallPart: TorturePart {
    package let name = "fail-at-call"
    package let summary = """
        EIO, ENOSPC, EINTR or a short write at the n-th changing call, EIO at the n-th read, once or twenty times in a \
        row, for every n of each scenario; the workload goes on and closes
        """
    package let bar = """
        no crash, 0 accepted lost, nothing kept that threw unless close() says so, works again after the fault, no \
        quarantine
        """

    private static let counts = CallCounts()
    private static let kinds: [(WorkloadProcess.Fault.Action, count: Int, isRead: Bool)] = [
        (.eio, 1, false), (.enospc, 1, false), (.eintr, 1, false), (.short, 1, false),
        (.eio, 20, false), (.enospc, 20, false), (.eio, 1, true), (.eio, 3, true),
    ]

    package init() {}

    package func tries(at scale: TortureScale, on bench: TortureBench) async throws -> [Int] {
        var tries: [Int] = []
        for (index, scenario) in Scenario.allCases.enumerated() {
            let outcome = try await Self.counts.outcome(CallPlan.plan(scenario, seed: bench.seed), on: bench)
            for (kind, fault) in Self.kinds.enumerated() {
                let calls = fault.isRead ? outcome.reads : outcome.changes
                let first = (index * Self.kinds.count + kind) * CallPlan.stride
                let all = (1...max(1, calls)).map { first + $0 }
                tries += scale == .full ? all : all.spread(over: 1)
            }
        }
        return tries
    }

    package func attempt(_ number: Int, on bench: TortureBench) async throws -> TryResult {
        let (scenarioAndKind, call) = (number / CallPlan.stride, number % CallPlan.stride)
        let scenario = Scenario.allCases[scenarioAndKind / Self.kinds.count % Scenario.allCases.count]
        let kind = Self.kinds[scenarioAndKind % Self.kinds.count]
        let fault = WorkloadProcess.Fault(kind.0, at: call, count: kind.count, readsOnly: kind.isRead)
        let plan = CallPlan.plan(scenario, seed: bench.seed)
        return try await bench.withFolder { folder in
            let store = try await PreparedStore.make(scenario, in: folder, seed: plan.seed)
            let outcome = try await WorkloadProcess(plan, on: bench, folder: folder).run(on: store, fault: fault)
            return await judge(outcome, of: store, scenario, fault)
        }
    }

    private func judge(
        _ outcome: WorkloadProcess.Outcome, of store: PreparedStore, _ scenario: Scenario,
        _ fault: WorkloadProcess.Fault
    ) async -> TryResult {
        let errors = outcome.ledger.count { if case .error = $0 { true } else { false } }
        var result = TryResult(counts: ["\(fault.action.rawValue)": 1, "errors": errors])
        switch (outcome.exitCode, outcome.ledger.last) {
        case (0, .ended): break
        case (_, .gaveUp) where fault.count > 1: result.count("refused to start")
        default: result.violations.append("ended with \(outcome.exitCode ?? 0): \(outcome.output.prefix(200))")
        }
        if outcome.ledger.contains(.unsure) { result.count("unsure at close") }
        let judge = StoreJudge(ledger: outcome.ledger, fault: .process, allowedLosses: store.allowedLosses)
        result.violations += await judge.violations(of: store.directory)
        let aside = StoreFolder.quarantined(in: store.directory).count
        if aside > (scenario == .salvage ? 1 : 0) { result.violations.append("\(aside) sound stores were set aside") }
        result.violations = result.violations.map { "\(scenario) with \(fault.text): \($0)" }
        return result
    }
}
