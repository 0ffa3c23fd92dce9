import TrackEngine
import TrackEngineSQLite

/// Opens the store that a fault has left, and asks the oracle about it.
struct StoreJudge {
    let ledger: [LedgerEntry]
    let fault: StoreOracle.Fault
    var allowedLosses = 0
    var sinks = Workload.sinks

    /// Above all numbers of workloads.
    private static let freshNumber = 1_000_000_000

    /// What is wrong with the store in a folder: also when it does not open, or not a second time.
    func violations(of folder: String, isolation: isolated (any Actor)? = #isolation) async -> [String] {
        let oracle = StoreOracle(ledger, sinks: sinks, fault: fault)
        do {
            let store = try await StoreFolder.open(folder)
            try await store.configure(RetentionConfiguration(maxDaysToPersist: 0), sinks: Set(sinks))
            let seen = try await StoreObservation(of: store, sinks: sinks, freshNumber: Self.freshNumber)
            await store.close()
            let violations = oracle.violations(in: seen, allowedLosses: allowedLosses)
            if !violations.isEmpty { return violations.map { $0 + (seen.warning.map { " [\($0)]" } ?? "") } }
            let again = try await StoreFolder.open(folder)
            let status = try await again.status()
            await again.close()
            let expected = seen.records.count + 1
            return status.count == expected
                ? [] : ["opened again in order it has \(status.count) records, expected \(expected)"]
        } catch {
            return ["(d) the store does not open: \(error)"]
        }
    }
}
