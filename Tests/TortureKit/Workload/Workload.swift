import Foundation
import Logging
import TrackEngine
import TrackEngineSQLite
import TrackEngineSimulated

/// Uses a store as the engine does, at random but from a seed, and keeps the ledger.
///
/// It runs as a child process, so that the shim sees its calls and can kill it; see the hidden command `workload`.
package struct Workload {
    package static let sinks: [SinkID] = ["a", "b"]

    /// What to do; handed to the child as arguments.
    package struct Plan: Sendable {
        package var scenario: Scenario
        package var seed: UInt64
        /// How many calls of the store.
        package var steps: Int
        package var mutant: Mutant?
        /// The first number for records, above all that were given before.
        package var firstNumber = 1

        package init(
            scenario: Scenario, seed: UInt64, steps: Int, mutant: Mutant? = nil, firstNumber: Int = 1
        ) {
            (self.scenario, self.seed, self.steps) = (scenario, seed, steps)
            (self.mutant, self.firstNumber) = (mutant, firstNumber)
        }
    }

    private let plan: Plan
    private let directory: String
    private let ledger: LedgerFile
    private var random: SplitMix64
    private var number: Int
    private var store: any FixStore = InMemoryFixStore()

    package init(_ plan: Plan, directory: String, ledger: String) throws {
        self.plan = plan
        self.directory = directory
        self.ledger = try LedgerFile(path: ledger)
        random = SplitMix64(seed: plan.seed)
        number = plan.firstNumber
    }

    /// Runs to the end. Errors of the store are noted, and the next call is made all the same.
    ///
    /// - Returns: whether the store could be opened.
    package mutating func run() async -> Bool {
        if plan.mutant == .salvagesInPlace {
            ledger.note(.phase("salvage"))
            try? InPlaceSalvage(directory: directory).run()  // the mutant; whatever goes wrong is its fault
        }
        guard await open(in: plan.scenario.rawValue) else { return false }
        for _ in 0..<plan.steps { await step() }
        ledger.note(.phase("close"))
        await store.close()
        ledger.note(.ended)
        return true
    }

    // MARK: - Opening

    /// Opens the store, with a few attempts: a call that failed once may work the next time.
    private mutating func open(in phase: String) async -> Bool {
        ledger.note(.phase(phase))
        for attempt in 0..<5 {
            if attempt > 0 { try? await Task.sleep(for: .milliseconds(20)) }  // paces the attempts; nobody cancels
            do {
                let opened = try await SQLiteFixStore.open(
                    configuration: .init(directory: directory),
                    logger: Logger(label: "torture") { _ in StoreLogListener(ledger) })
                store = plan.mutant == .confirmsBeforeCommit ? EarlyConfirmingStore(opened) : opened
                try await configure()
                ledger.note(.opened)
                return true
            } catch {
                note(error)
            }
        }
        ledger.note(.gaveUp)
        return false
    }

    private func configure() async throws {
        let retention = RetentionConfiguration(maxDaysToPersist: 0, maxBytes: plan.scenario.maxBytes)
        try await store.configure(retention, sinks: Set(Self.sinks))
    }

    private func note(_ error: any Error) {
        ledger.note(.error(code: (error as? StoreError)?.code.rawValue ?? "unknown"))
    }

    // MARK: - Steps

    private mutating func step() async {
        do {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<50: try await append()
            case 50..<88: try await deliver()
            case 88..<96: try await prune()
            default: await reopen()
            }
        } catch {
            note(error)
        }
    }

    private mutating func append() async throws {
        ledger.note(.phase("append"))
        let count = Int.random(in: 1...plan.scenario.largestAppend, using: &random)
        let numbers = number..<number + count
        number += count
        for number in numbers { ledger.note(.intent(number: number)) }
        do {
            let records = try await store.append(
                numbers.map(WorkloadRecord.draft), checkpoint: WorkloadRecord.checkpoint(number - 1))
            for (number, record) in zip(numbers, records) {
                ledger.note(.accepted(number: number, sequence: record.sequence.rawValue))
            }
        } catch {
            for number in numbers { ledger.note(.failed(number: number)) }
            throw error
        }
    }

    /// Takes a batch to a pretended receiver, which refuses one in twelve records.
    private mutating func deliver() async throws {
        ledger.note(.phase("settle"))
        let sink = Self.sinks[Int.random(in: 0..<Self.sinks.count, using: &random)]
        let limit = Int.random(in: 1...plan.scenario.largestDelivery, using: &random)
        guard let batch = try await store.nextBatch(for: sink, limit: limit), let last = batch.records.last else {
            return
        }
        var refused: [RecordID: String] = [:]
        for record in batch.records where Int.random(in: 0..<12, using: &random) == 0 {
            refused[record.id] = "422 refused"
        }
        let settlement = Settlement(
            origin: batch.origin, records: batch.records, refused: refused, time: WorkloadRecord.time(number))
        if plan.mutant == .settlesBeforeDelivery { try await store.settle(settlement, for: sink) }
        let dead = batch.records.filter { refused[$0.id] != nil }.map(\.sequence.rawValue)
        for place in dead { ledger.note(.refusing(sink: sink, sequence: place)) }
        ledger.note(.delivered(sink: sink, through: last.sequence.rawValue))
        if plan.mutant != .settlesBeforeDelivery { try await store.settle(settlement, for: sink) }
        ledger.note(.settled(sink: sink, through: last.sequence.rawValue))
        for place in dead { ledger.note(.refused(sink: sink, sequence: place)) }
    }

    private mutating func prune() async throws {
        ledger.note(.phase("prune"))
        try await store.prune(now: WorkloadRecord.time(number))
    }

    private mutating func reopen() async {
        ledger.note(.phase("close"))
        await store.close()
        _ = await open(in: "open")
    }
}
