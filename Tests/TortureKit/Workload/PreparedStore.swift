import Foundation
import Logging
import TrackEngine
import TrackEngineSQLite
import TrackEngineSimulated

/// The store that a workload starts from, and what the ledger says about it.
package struct PreparedStore: Sendable {
    package let directory: String
    package var ledger: [LedgerEntry] = []
    /// How many records the damage itself costs, found out by a repair that nothing disturbs.
    package var allowedLosses = 0
    /// The first number that no record has.
    package var nextNumber = 1

    init(directory: String) { self.directory = directory }

    /// Makes the store of a scenario in a fresh folder below `parent`.
    package static func make(
        _ scenario: Scenario, in parent: String, seed: UInt64, isolation: isolated (any Actor)? = #isolation
    ) async throws -> PreparedStore {
        var prepared = PreparedStore(directory: parent + "/store")
        try FileManager.default.createDirectory(atPath: prepared.directory, withIntermediateDirectories: true)
        switch scenario {
        case .ordinary, .quota: break
        case .migration:
            let count = 60
            let old = OldStore(version: seed % 2 == 0 ? 1 : 2)
            prepared.ledger = try old.make(in: prepared.directory, count: count)
            prepared.nextNumber = count + 1
        case .salvage:
            try await prepared.fill(count: 400, settled: 150)
            var random = SplitMix64(seed: seed)
            try prepared.zeroLeafPage(using: &random)
            prepared.allowedLosses = try await prepared.lossesOfUndisturbedRepair(beside: parent + "/undisturbed")
        }
        return prepared
    }

    /// A copy in another folder.
    func copy(to other: String) throws -> PreparedStore {
        try StoreFolder.copy(directory, to: other)
        var copy = PreparedStore(directory: other)
        (copy.ledger, copy.allowedLosses, copy.nextNumber) = (ledger, allowedLosses, nextNumber)
        return copy
    }

    /// Fills the store, settles a part, and leaves the files as a killed process does.
    ///
    /// - Parameter further: how many records come after the store was closed and opened again, and stand in its log.
    mutating func fill(
        count: Int, settled: Int, further: Int = 0, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let original = directory + "-original"
        let first = try await StoreFolder.open(original)
        try await append(1...count, to: first)
        if settled > 0, let batch = try await first.nextBatch(for: "a", limit: settled), let last = batch.records.last {
            let settlement = Settlement(
                origin: batch.origin, records: batch.records, time: WorkloadRecord.time(count))
            try await first.settle(settlement, for: "a")
            ledger += [
                .delivered(sink: "a", through: last.sequence.rawValue),
                .settled(sink: "a", through: last.sequence.rawValue),
            ]
        }
        await first.close()
        let second = try await StoreFolder.open(original)
        if further > 0 { try await append(count + 1...count + further, to: second) }
        try StoreFolder.copy(original, to: directory)
        await second.close()
        nextNumber = count + further + 1
    }

    private mutating func append(
        _ numbers: ClosedRange<Int>, to store: any FixStore, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        for record in try await store.append(numbers.map(WorkloadRecord.draft), checkpoint: nil) {
            let number = WorkloadRecord.number(of: record)
            ledger += [.intent(number: number), .accepted(number: number, sequence: record.sequence.rawValue)]
        }
    }

    /// Zeroes a page that holds records and nothing else.
    private func zeroLeafPage(using random: inout SplitMix64) throws {
        let url = URL(fileURLWithPath: directory + "/track.sqlite")
        var pages = DatabasePages(bytes: [UInt8](try Data(contentsOf: url)))
        guard let page = pages.recordLeaves.randomElement(using: &random) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        pages.zero(page)
        try Data(pages.bytes).write(to: url)
    }

    private func lossesOfUndisturbedRepair(
        beside path: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int {
        try StoreFolder.copy(directory, to: path)
        let store = try await StoreFolder.open(path)
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 0), sinks: Set(Workload.sinks))
        let seen = try await StoreObservation(of: store, sinks: Workload.sinks, freshNumber: 0)
        await store.close()
        return StoreOracle(ledger, sinks: Workload.sinks, fault: .process).lossCount(in: seen)
    }
}

/// Opens and copies stores.
package enum StoreFolder {
    package static func open(_ path: String) async throws -> SQLiteFixStore {
        try await SQLiteFixStore.open(
            configuration: .init(directory: path), logger: Logger(label: "torture") { _ in SwiftLogNoOpLogHandler() })
    }

    /// The files that a killed process leaves: not its lock, and not the shared memory, which may be in the middle of a
    /// change while the store is open.
    package static func copy(_ path: String, to other: String) throws {
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: path)
        where !name.hasSuffix("-shm") && !name.hasSuffix(".lock") {
            try FileManager.default.copyItem(atPath: path + "/" + name, toPath: other + "/" + name)
        }
    }
}

/// The pages of a database file, as far as damage needs to know them (SQLite file format, section 1.6).
package struct DatabasePages {
    package static let size = 4096
    package private(set) var bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package var count: Int { bytes.count / Self.size }

    /// How many cells a leaf page of a table has; 0 for any other page.
    package func cells(_ page: Int) -> Int {
        let start = page * Self.size + (page == 0 ? 100 : 0)
        guard start + 5 <= bytes.count, bytes[start] == 0x0d else { return 0 }
        return Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
    }

    /// The leaf pages with so many rows that they must be the records'.
    package var recordLeaves: [Int] { (1..<max(count, 1)).filter { cells($0) >= 15 } }

    package mutating func zero(_ page: Int) {
        for index in page * Self.size..<(page + 1) * Self.size { bytes[index] = 0 }
    }
}

extension StoreFolder {
    /// The databases that were set aside as damaged.
    package static func quarantined(in directory: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []  // none where there is none
        return names.filter { $0.contains(".corrupt-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }
}
