import Foundation
import TrackEngine
import TrackEngineSimulated

/// A damaged store starts or refuses clearly, brings back what is whole, and uses no number again.
package struct DamagePart: TorturePart {
    package let name = "damage"
    package let summary = """
        a store of 6,000 records with flipped bits, zeroed, swapped or missing pages, another program's file, link, pipe, directory or \
        owner in its place, a damaged log or ledger; a third is killed again during the repair
        """
    package let bar = """
        starts or refuses in 3 s, ≥ 99 % back for one zeroed page and ≥ 95 % of the rows on whole pages else, nothing invented, \
        no number used again, losses are said
        """

    private static let stores = DamagedStores()

    package init() {}

    package func tries(at scale: TortureScale, on bench: TortureBench) -> [Int] {
        Array(0..<(scale == .full ? 1_000 : Damage.allCases.count))
    }

    package func attempt(_ number: Int, on bench: TortureBench) async throws -> TryResult {
        let damage = Damage.allCases[number % Damage.allCases.count]
        let isKilledAgain = number / Damage.allCases.count % 3 == 2
        var random = bench.random(name, number)
        let template = try await Self.stores.template(on: bench)
        var chance = random
        let result = try await bench.withFolder { folder in
            var store = try template.copy(to: folder + "/store")
            let lost = try damage.inflict(on: store.directory, using: &chance)
            store.allowedLosses = allowedLosses(damage, lostRows: lost, of: DamagedStores.count)
            if isKilledAgain && !damage.mayRefuse {
                let plan = Workload.Plan(scenario: .salvage, seed: 0, steps: 0)
                let kill = WorkloadProcess.Fault(.kill, at: Int.random(in: 1...60, using: &chance))
                let outcome = try await WorkloadProcess(plan, on: bench, folder: folder).run(on: store, fault: kill)
                store.ledger = outcome.ledger
            }
            return await judge(store, damage)
        }
        random = chance
        return result
    }

    /// The bytes of the database, its log and its journal; `nil` for one that is not there.
    private func databaseFiles(in directory: String) -> [Data?] {
        ["", "-wal", "-journal"].map { FileManager.default.contents(atPath: directory + "/track.sqlite" + $0) }
    }

    private func allowedLosses(_ damage: Damage, lostRows: Int, of count: Int) -> Int {
        lostRows + Int((Double(count - lostRows) * (1 - damage.share)).rounded(.down))
    }

    private func judge(_ store: PreparedStore, _ damage: Damage) async -> TryResult {
        var result = TryResult(counts: [damage.rawValue: 1])
        let theirs = damage == .otherDatabase ? databaseFiles(in: store.directory) : nil
        let begin = ProcessorTime.used()
        do {
            let opened = try await StoreFolder.open(store.directory)
            await opened.close()
            if theirs != nil { result.violations.append("\(damage): opens another program's database") }
        } catch {
            result.count("refused")
            if let theirs, theirs != databaseFiles(in: store.directory) {
                result.violations.append("\(damage): changes another program's database")
            }
            if !damage.mayRefuse { result.violations.append("(d) does not open: \(error)") }
            return result.within(.seconds(3), since: begin, damage)
        }
        result = result.within(.seconds(3), since: begin, damage)
        // A receiver may get records again: where a cursor cannot be read, repeating is right.
        let judge = StoreJudge(ledger: store.ledger, fault: .powerCut, allowedLosses: store.allowedLosses)
        result.violations += await judge.violations(of: store.directory)
        result.violations = result.violations.map { "\(damage): \($0)" }
        return result
    }
}

extension TryResult {
    fileprivate func within(_ limit: Duration, since begin: Duration, _ damage: Damage) -> TryResult {
        var result = self
        let time = ProcessorTime.used() - begin
        if time > limit { result.violations.append("\(damage): took \(time) to open, expected \(limit)") }
        return result
    }
}

/// What this process has used of the processor: on a memory file system the time of a quiet machine, however busy this one
/// is. A store that waits for ever is noticed by the part's patience.
private enum ProcessorTime {
    static func used() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// The store that is damaged, made once in a process.
actor DamagedStores {
    static let count = 6_000
    /// The records that stand in the log only.
    static let rowsInLog = 200
    private var made: PreparedStore?

    /// A store as a killed process leaves it, whose last records are in its log.
    func template(on bench: TortureBench) async throws -> PreparedStore {
        if let made { return made }
        var store = PreparedStore(directory: bench.scratch + "/template")
        try await store.fill(count: Self.count - Self.rowsInLog, settled: 1_500, further: Self.rowsInLog)
        made = store
        return store
    }
}
