import Foundation
import TrackEngine
import TrackEngineSQLite

/// What a store does while its disk is full, read-only, failing or gone, and afterwards.
///
/// It runs as a child process, below a mount or a shim of its own; see the hidden command `trial`.
package struct DiskTrial {
    /// What happens to the disk.
    package enum Kind: String, Sendable, CaseIterable {
        /// A small file system without a quota runs full; then the receiver comes back.
        case full
        /// The same, and the agent is started again while it is full.
        case restartedWhileFull = "restarted-while-full"
        /// A quota below the file system's size.
        case quota
        /// Every change fails with EROFS for a while.
        case readOnly = "read-only"
        /// Every change fails with EIO for a while.
        case failing
        /// The directory is removed.
        case removed

        /// The size of a file system of its own, in MiB.
        var megabytes: Int? {
            switch self {
            case .full, .restartedWhileFull, .quota: 4
            case .readOnly, .failing, .removed: nil
            }
        }
    }

    private let kind: Kind
    private let directory: String
    /// The file that makes the shim fail.
    private let faultSwitch: String
    private var number = 0
    private var ledger: [LedgerEntry] = []
    private var violations: [String] = []
    private static let sink: SinkID = "a"
    private static let bound = 2 << 20

    package init(_ kind: Kind, directory: String, faultSwitch: String) {
        (self.kind, self.directory, self.faultSwitch) = (kind, directory, faultSwitch)
    }

    /// Runs to the end; returns what did not hold.
    package mutating func run() async throws -> [String] {
        var store = try await open()
        switch kind {
        case .full, .restartedWhileFull:
            try await fill(store)
            if kind == .restartedWhileFull {
                await store.close()
                store = try await open()
            }
            await deliverEverything(from: store)
        case .quota: try await overfill(store)
        case .readOnly: try await interrupt(store, error: EROFS)
        case .failing: try await interrupt(store, error: EIO)
        case .removed:
            try await removeDirectory(below: store)
            return violations
        }
        await recover(store)
        await store.close()
        let judge = StoreJudge(ledger: ledger, fault: .process, sinks: [Self.sink])
        return violations + (await judge.violations(of: directory))
    }

    private func open() async throws -> SQLiteFixStore {
        let store = try await StoreFolder.open(directory)
        let bytes = kind == .quota ? Int64(Self.bound) : 0
        try await store.configure(
            RetentionConfiguration(maxDaysToPersist: 0, maxBytes: bytes), sinks: [Self.sink])
        return store
    }

    /// Appends some records; returns the error if there was one.
    private mutating func append(_ count: Int, to store: SQLiteFixStore) async -> StoreError? {
        let numbers = number + 1...number + count
        number += count
        ledger += numbers.map { .intent(number: $0) }
        do {
            let records = try await store.append(numbers.map(WorkloadRecord.draft), checkpoint: nil)
            ledger += zip(numbers, records).map { .accepted(number: $0, sequence: $1.sequence.rawValue) }
            return nil
        } catch {
            ledger += numbers.map { .failed(number: $0) }
            return error
        }
    }

    private mutating func fill(_ store: SQLiteFixStore) async throws {
        while number < 200_000 {
            guard let error = await append(100, to: store) else { continue }
            if error.code != .full { violations.append("a full disk gave '\(error)', expected 'full'") }
            return
        }
        violations.append("200,000 records went onto a disk of 4 MiB")
    }

    /// The receiver is back: settling must work on a full disk, and must make room.
    private mutating func deliverEverything(from store: SQLiteFixStore) async {
        var failures = 0
        while failures < 20 {
            do {
                guard let batch = try await store.nextBatch(for: Self.sink, limit: 100), let last = batch.records.last
                else { return }
                ledger.append(.delivered(sink: Self.sink, through: last.sequence.rawValue))
                let time = WorkloadRecord.time(number)
                try await store.settle(
                    Settlement(origin: batch.origin, records: batch.records, time: time), for: Self.sink)
                ledger.append(.settled(sink: Self.sink, through: last.sequence.rawValue))
                try await store.prune(now: time)
                failures = 0
            } catch {
                failures += 1
                if failures == 20 { violations.append("delivering from a full disk fails for good: \(error)") }
                try? await Task.sleep(for: .milliseconds(50))  // paces the attempts; nobody cancels
            }
        }
    }

    private mutating func overfill(_ store: SQLiteFixStore) async throws {
        while number < 40_000 {
            if let error = await append(100, to: store) {
                violations.append("below its quota the store threw \(error)")
                return
            }
        }
        let status = try await store.status()
        if status.dropped == 0 { violations.append("nothing was dropped") }
        if status.bytes > Int64(Self.bound) {
            violations.append("the store takes \(status.bytes) bytes, more than \(Self.bound)")
        }
    }

    private mutating func interrupt(_ store: SQLiteFixStore, error: Int32) async throws {
        _ = await append(50, to: store)
        try "\(error)".write(toFile: faultSwitch, atomically: false, encoding: .utf8)
        for _ in 0..<10 where await append(5, to: store) == nil {
            violations.append("an append returned while nothing could be written")
        }
        try "0".write(toFile: faultSwitch, atomically: false, encoding: .utf8)
    }

    /// Within ten seconds after the fault the store takes records again.
    private mutating func recover(_ store: SQLiteFixStore) async {
        let begin = ContinuousClock.now
        while let error = await append(1, to: store) {
            if ContinuousClock.now - begin > .seconds(10) {
                violations.append("after 10 s the store still throws \(error)")
                return
            }
            try? await Task.sleep(for: .milliseconds(50))  // paces the attempts; nobody cancels
        }
    }

    /// A second after its directory is gone the store must accept nothing, and a new one can be opened in its place.
    private mutating func removeDirectory(below store: SQLiteFixStore) async throws {
        _ = await append(50, to: store)
        try FileManager.default.removeItem(atPath: directory)
        try await Task.sleep(for: .milliseconds(1_100))  // the second that is promised
        if await append(1, to: store) == nil { violations.append("an append returned though the directory is gone") }
        await store.close()
        let fresh = try await open()
        if let error = await append(1, to: fresh) { violations.append("a new store in its place threw \(error)") }
        await fresh.close()
    }
}
