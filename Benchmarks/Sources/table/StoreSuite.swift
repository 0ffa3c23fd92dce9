import CYardsticks
import Logging
import Measure
import TrackEngine
import TrackEngineSQLite
import WireSuites

/// Durable appends beside the same rows in the same table through SQLite's own interface, on the same disk.
///
/// Many short rounds in turns, because a disk has moods, which last for seconds and change the price of a commit tenfold;
/// what counts is the round whose ratio is the middle one. Both sides set the same (`store.c` tells).
///
/// The yardstick inserts a row with each statement, as programs do. A second one inserts twenty, as the engine does: it
/// tells what the engine itself costs, the trick put aside.
enum StoreSuite {
    private static let rowsAtOnce = 20

    static func rows() async throws -> [Row] {
        try await withTemporaryFolder { folder in
            let store = try await SQLiteFixStore.open(
                configuration: .init(directory: folder + "/ours"), logger: Logger(label: "bench"))
            guard let single = cyardsticks_store_open(folder + "/single.sqlite", 1) else { return [] }
            defer { cyardsticks_store_close(single) }
            guard let many = cyardsticks_store_open(folder + "/many.sqlite", rowsAtOnce) else { return [] }
            defer { cyardsticks_store_close(many) }
            var rows: [Row] = []
            for (length, commits) in [(1, 20), (100, 10), (1000, 3)] {
                var contenders = [appending(to: store, length, commits), appendingInC(single, length, commits)]
                if length >= rowsAtOnce { contenders.append(appendingInC(many, length, commits)) }
                rows += Self.rows(length, try await race(rounds: 101, contenders))
            }
            for callers in [1, 2, 4, 8] {
                let timing = try await race(rounds: 5, [appending(to: store, callers: callers, each: 100)])[0]
                rows.append(Row("StoreAppend", "\(callers) callers, 1 each, a record", timing.median))
            }
            for (length, commits, most) in [(1, 500, 9_216.0), (50, 100, 600)] {
                rows.append(try await bytesRow(length, commits, most: most, store, single))
            }
            await store.close()
            return rows
        }
    }

    /// What a record costs a storage that wears out: bytes to the file system, checkpoints of the log included, with the
    /// pipeline's state as a tracker stores it.
    private static func bytesRow(
        _ length: Int, _ commits: Int, most: Double, _ store: SQLiteFixStore, _ yardstick: OpaquePointer
    ) async throws -> Row {
        let drafts = SampleRecords.drafts(length)
        let checkpoint = drafts.last.map {
            SourceCheckpoint(source: $0.source, last: $0, lastMovement: $0.fix.time, isStandby: false)
        }
        let start = bytesWritten
        for _ in 0..<commits { keep(try await store.append(drafts, checkpoint: checkpoint)) }
        let between = bytesWritten
        for _ in 0..<commits {
            precondition(cyardsticks_store_append(yardstick, length, payloadLength) == 1, "SQLite refused a commit")
        }
        let records = Double(length * commits)
        return Row(
            "StoreAppend", "\(length) a commit, bytes to the file system a record", (between - start) / records,
            beside: ("sqlite3 C API", (bytesWritten - between) / records), target: .bytes(most))
    }

    /// What this process has written to files.
    private static var bytesWritten: Double { AgentProcess.number(after: "wchar:", in: "/proc/self/io") }

    /// Ours beside each yardstick; only the plain one has a target.
    private static func rows(_ length: Int, _ timings: [Timing]) -> [Row] {
        let names = ["sqlite3 C API", "the same, \(rowsAtOnce) rows a statement"]
        return zip(names, timings.dropFirst()).map { name, yardstick in
            let pair = timings[0].middlePair(with: yardstick)
            return Row(
                "StoreAppend", "\(length) a commit, a record", pair.ours, beside: (name, pair.theirs),
                target: length == 100 && name == names[0] ? .timesYardstick(1 / 0.8) : .none)
        }
    }

    private static func appending(to store: SQLiteFixStore, _ length: Int, _ commits: Int) -> Contender {
        let drafts = SampleRecords.drafts(length)
        return Contender(units: length * commits) {
            for _ in 0..<commits { keep(try await store.append(drafts, checkpoint: nil)) }
        }
    }

    private static func appending(to store: SQLiteFixStore, callers: Int, each: Int) -> Contender {
        let drafts = SampleRecords.drafts(1)
        return Contender(units: callers * each) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<callers {
                    group.addTask { for _ in 0..<each { keep(try await store.append(drafts, checkpoint: nil)) } }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func appendingInC(_ store: OpaquePointer, _ length: Int, _ commits: Int) -> Contender {
        Contender(units: length * commits) {
            for _ in 0..<commits {
                precondition(cyardsticks_store_append(store, length, payloadLength) == 1, "SQLite refused a commit")
            }
        }
    }

    /// The length of a sample record's payload as the engine's store writes it: 22 bytes that are always there, 8 numbers
    /// of 8, 2 of 4 and 4 of 1 byte, flags and the name of the source.
    private static let payloadLength = 106
}
