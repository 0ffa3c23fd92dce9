import Foundation
import TestSupport

/// One run of a workload as a child process under the shim.
package struct WorkloadProcess: Sendable {
    /// What a call is made to do.
    package struct Fault: Sendable, Hashable {
        package enum Action: String, Sendable, CaseIterable {
            case kill, eio, enospc, eintr, short
        }

        package var action: Action
        /// Which call, counted from 1.
        package var number: Int
        /// How many calls from there on.
        package var count = 1
        /// Whether reading calls are meant, not changing ones.
        package var readsOnly = false

        package init(_ action: Action, at number: Int, count: Int = 1, readsOnly: Bool = false) {
            (self.action, self.number, self.count, self.readsOnly) = (action, number, count, readsOnly)
        }

        var text: String { "\(action.rawValue):\(number):\(count)\(readsOnly ? ":reads" : "")" }
    }

    /// How a run ended.
    package struct Outcome: Sendable {
        /// The exit code, or the signal's number negated; `nil` when it had to be ended.
        package let exitCode: Int32?
        /// The ledger, with what stood in it before.
        package let ledger: [LedgerEntry]
        /// How many changing and reading calls there were; known when it ended in order.
        package let changes: Int
        package let reads: Int
        package let output: String
    }

    private let bench: TortureBench
    private let plan: Workload.Plan
    private let folder: String
    package var environment: [String: String] = [:]

    /// - Parameter folder: holds the ledger and what the shim writes; not the store's.
    package init(_ plan: Workload.Plan, on bench: TortureBench, folder: String) {
        (self.plan, self.bench, self.folder) = (plan, bench, folder)
    }

    package var ledgerPath: String { folder + "/ledger" }
    package var recordPath: String { folder + "/calls" }

    /// Runs on a store until it has ended.
    package func run(
        on store: PreparedStore, fault: Fault? = nil, isRecording: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Outcome {
        let before = store.ledger.map { $0.line + "\n" }.joined()
        try before.write(toFile: ledgerPath, atomically: true, encoding: .utf8)
        var variables = environment
        variables["LD_PRELOAD"] = bench.shim
        variables["SWIFT_BACKTRACE"] = "enable=no"
        variables["TORTURE_DIR"] = store.directory
        variables["TORTURE_LEDGER"] = ledgerPath
        variables["TORTURE_COUNT"] = folder + "/count"
        if let fault { variables["TORTURE_FAULT"] = fault.text }
        if isRecording { variables["TORTURE_RECORD"] = recordPath }
        let arguments = [
            "workload", store.directory, ledgerPath, plan.scenario.rawValue, "\(plan.seed)", "\(plan.steps)",
            "\(store.nextNumber)",
        ]
        let mutant = plan.mutant.map { ["--mutant", $0.rawValue] } ?? []
        let child = try ChildProcess(bench.program, arguments + mutant, environment: variables)
        let exitCode = await end(of: child)
        let text = try String(contentsOfFile: ledgerPath, encoding: .utf8)
        // A killed one writes none.
        let counts = (try? String(contentsOfFile: folder + "/count", encoding: .utf8)) ?? ""
        let numbers = counts.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        return Outcome(
            exitCode: exitCode, ledger: LedgerEntry.entries(of: text), changes: numbers.first ?? 0,
            reads: numbers.last ?? 0, output: child.text)
    }

    /// Waits for the child, for less than a try may take.
    private func end(of child: ChildProcess, isolation: isolated (any Actor)? = #isolation) async -> Int32? {
        let begin = ContinuousClock.now
        while child.isRunning {
            if ContinuousClock.now - begin > .seconds(60) {
                child.killNow()
                return nil
            }
            try? await Task.sleep(for: .milliseconds(2))  // paces the looks; a cancelled run looks more often
        }
        return child.exitCode
    }
}
