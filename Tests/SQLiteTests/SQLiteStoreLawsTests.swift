import Foundation
import SQLiteAccess
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

@Suite struct SQLiteStoreLawsTests {
    @Test(arguments: StoreLaws.Law.allCases)
    func `keeps the law when closed in order`(_ law: StoreLaws.Law) async throws {
        try await StoreDirectory.with { root in
            let homes = StoreHomes(root: root)
            let laws = StoreLaws(make: homes.make, reopen: homes.reopen, seeds: 0..<15)
            let violations = try await laws.violations(of: law)
            #expect(violations == [])
        }
    }

    @Test(arguments: StoreLaws.Law.allCases.filter(\.concernsReopening))
    func `keeps the law when killed`(_ law: StoreLaws.Law) async throws {
        try await StoreDirectory.with { root in
            let homes = StoreHomes(root: root)
            let laws = StoreLaws(make: homes.make, reopen: homes.reopenAfterKill, seeds: 100..<115)
            let violations = try await laws.violations(of: law)
            #expect(violations == [])
        }
    }

    /// What a store could lose on the way to its next start, done to its files.
    enum Loss: String, CaseIterable {
        case records, lastRecord, cursors, cursorOfOneSink, deadLetters, requeued, checkpoints, drops, numbers

        var law: StoreLaws.Law {
            switch self {
            case .records, .lastRecord: .remembersRecords
            case .cursors, .cursorOfOneSink: .remembersCursors
            case .deadLetters, .requeued: .remembersDeadLetters
            case .checkpoints: .remembersCheckpoints
            case .drops: .remembersDrops
            case .numbers: .continuesNumbersAfterReopening
            }
        }

        func inflict(on home: StoreDirectory) throws {
            let db = try Database(path: home.database)
            defer { try? db.close() }  // the test goes on with what has been written
            try db.immediateTransaction { try $0.execute(sql: sql) }
            if self == .numbers { try FileManager.default.removeItem(atPath: home.path + "/track.ledger") }
        }

        private var sql: String {
            switch self {
            case .records: "DELETE FROM record"
            case .lastRecord: "DELETE FROM record WHERE seq = (SELECT max(seq) FROM record)"
            case .cursors: "DELETE FROM sink"
            case .cursorOfOneSink: "UPDATE sink SET settled = settled + 1 WHERE name = 'a'"
            case .deadLetters: "DELETE FROM dead WHERE requeued = 0"
            case .requeued: "DELETE FROM dead WHERE requeued = 1"
            case .checkpoints: "UPDATE checkpoint SET movement = movement + 1"
            case .drops: "DELETE FROM meta"
            case .numbers: "DELETE FROM sqlite_sequence"
            }
        }
    }

    @Test(arguments: Loss.allCases)
    func `a law notices the loss`(_ loss: Loss) async throws {
        try await StoreDirectory.with { root in
            let homes = StoreHomes(root: root)
            let laws = StoreLaws(
                make: homes.make, reopen: { try await homes.reopen($0) { try loss.inflict(on: $0) } })
            let violations = try await laws.violations(of: loss.law)
            #expect(violations.contains { $0.law == loss.law.rawValue })
        }
    }

    @Test func `the comparison with the model notices an early acknowledgement`() async throws {
        try await StoreDirectory.with { root in
            let homes = StoreHomes(root: root)
            // Another, empty store takes its place: all that was acknowledged is lost.
            let laws = StoreLaws(
                make: homes.make,
                reopen: { store in
                    await store.close()
                    return try await homes.make()
                }, seeds: 0..<10)
            let violations = try await laws.violations(of: .agreesWithTheModel)
            #expect(!violations.isEmpty)
        }
    }
}

extension StoreLaws.Law {
    var concernsReopening: Bool {
        rawValue.hasPrefix("remembers") || rawValue.contains("Reopening") || self == .agreesWithTheModel
    }
}
