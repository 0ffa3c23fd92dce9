import CYardsticks
import Logging
import Measure
import TrackEngine
import TrackEngineSQLite

/// Durable appends beside the same rows in the same table through SQLite's own interface, on the same disk.
///
/// Medians of many short rounds in turns, because a disk has moods; each round is long enough to empty the log once, as
/// that is a part of the price. Both sides set the same (`store.c` tells).
enum StoreSuite {
    static func rows() async throws -> [Row] {
        try await withTemporaryFolder { folder in
            let store = try await SQLiteFixStore.open(directory: folder + "/ours", logger: Logger(label: "bench"))
            guard let yardstick = cyardsticks_store_open(folder + "/theirs.sqlite") else { return [] }
            defer { cyardsticks_store_close(yardstick) }
            var rows: [Row] = []
            for (length, commits) in [(1, 100), (100, 50), (1000, 10)] {
                let timings = try await race(
                    rounds: 25, [appending(to: store, length, commits), appendingInC(yardstick, length, commits)])
                rows.append(
                    Row(
                        "StoreAppend", "\(length) a commit, a record", timings[0].median,
                        beside: ("sqlite3 C API", timings[1].median),
                        target: length == 100 ? .timesYardstick(1 / 0.8) : .none))
            }
            for callers in [1, 2, 4, 8] {
                let timing = try await race(rounds: 5, [appending(to: store, callers: callers, each: 100)])[0]
                rows.append(Row("StoreAppend", "\(callers) callers, 1 each, a record", timing.median))
            }
            await store.close()
            return rows
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
