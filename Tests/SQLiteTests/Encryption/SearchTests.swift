import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// A search of all of a store's files for what they must not tell.
@Suite struct SearchTests {
    private static let reason = "HTTP 422 near Marienplatz"
    private static let source: SourceID = "replay-holiday-in-munich.gpx"

    static func draft(_ number: Int) -> RecordDraft {
        let fix = Fix(
            time: StoreMaterial.start.advanced(by: .milliseconds(61_237 * number + 129)),
            coordinate: Coordinate(
                latitude: 48.137154 + Double(number) * 1.37e-4, longitude: 11.576124 + Double(number) * 2.11e-4),
            altitude: 519.257, horizontalAccuracy: 4.51, speed: 13.371 + Double(number) * 0.013)
        return RecordDraft(
            id: RecordID(device: "bicycle", source: source, fix: fix, cause: .distance), fix: fix, isMoving: true,
            cause: .distance, activity: nil, source: source, host: nil, odometer: 1234.567 + Double(number) * 17.3)
    }

    private static func checkpoint(_ number: Int) -> SourceCheckpoint {
        let draft = draft(number)
        return SourceCheckpoint(source: source, last: draft, lastMovement: draft.fix.time, isStandby: false)
    }

    private static let settled = StoreMaterial.start.advanced(by: .seconds(86_400))
    private static let drafts = (0..<60).map(draft)

    private static var traces: Traces {
        Traces(of: drafts, reasons: [reason])
    }

    /// Gives a store everything that it can hold: records, checkpoints, dead letters, some put back, milestones, pruned rows.
    private static func fill(_ store: SQLiteFixStore) async throws {
        var retention = RetentionConfiguration()
        retention.keepSyncedDays = 2
        try await store.configure(retention, sinks: ["home"])
        for start in stride(from: 0, to: 60, by: 10) {
            _ = try await store.append(Array(drafts[start..<start + 10]), checkpoint: checkpoint(start + 9))
        }
        for round in 0..<3 {
            guard let batch = try await store.nextBatch(for: "home", limit: 10) else { return }
            let refused = Dictionary(uniqueKeysWithValues: batch.records.prefix(3).map { ($0.id, reason) })
            let time = settled.advanced(by: .seconds(round))
            try await store.settle(
                Settlement(origin: batch.origin, records: batch.records, refused: refused, time: time), for: "home")
        }
        _ = try await store.requeueDeadLetters(DeadLetterSelection(sink: nil, record: drafts[0].id))
        try await store.prune(now: settled.advanced(by: .seconds(3 * 86_400)))
        _ = try await store.dropDeadLetters(DeadLetterSelection(sink: nil, record: drafts[1].id))
    }

    private func contents(_ store: SQLiteFixStore) async throws -> [RecordDraft] {
        try await store.allRecords().map(\.draft)
    }

    @Test func `in plain the search finds what it looks for`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            try await Self.fill(store)
            let found = try Self.traces.found(in: home.path)
            await store.close()
            let meanings = Set(found.map { $0.split(separator: ": ").last.map(String.init) ?? "" })
            #expect(meanings == ["an IEEE double", "a time", "a record's id", "a source's name", "a reason"])
        }
    }

    @Test func `nothing is found in an encrypted store that is open, killed or closed`() async throws {
        try await StoreDirectory.with { root in
            let home = StoreDirectory(path: root.path + "/store", key: .random())
            let store = try await home.open()
            try await Self.fill(store)
            let killed = StoreDirectory(path: root.path + "/killed", key: home.key)
            #expect(try Self.traces.found(in: home.path) == [])
            try home.copy(to: killed)
            let expected = try await contents(store)
            let letters = try await store.deadLetters(of: nil)
            #expect(!expected.isEmpty && !letters.isEmpty && letters.allSatisfy { $0.reason == Self.reason })
            await store.close()
            #expect(try Self.traces.found(in: home.path) == [])
            let again = try await killed.open()
            #expect(try await contents(again) == expected)
            #expect(try await again.deadLetters(of: nil) == letters)
            #expect(try await again.checkpoints() == [Self.checkpoint(59)])
            await again.close()
            #expect(try Self.traces.found(in: killed.path) == [])
        }
    }

    @Test func `nothing is left of a plain store that was encrypted, also not of a damaged one beside it`() async throws
    {
        try await StoreDirectory.with { root in
            var home = StoreDirectory(path: root.path + "/store")
            let plain = try await home.open()
            try await Self.fill(plain)
            let expected = try await contents(plain)
            let letters = try await plain.deadLetters(of: nil)
            await plain.close()
            try home.write(home.bytes(of: "track.sqlite"), to: "track.sqlite.corrupt-20260301T120000Z")
            #expect(try !Self.traces.found(in: home.path).isEmpty)
            home.key = .random()
            let store = try await home.open()
            #expect(try Self.traces.found(in: home.path) == [])
            #expect(try await contents(store) == expected)
            #expect(try await store.deadLetters(of: nil) == letters)
            #expect(try await store.odometers() == [Self.source: Self.drafts[59].odometer])
            await store.close()
            #expect(try Self.traces.found(in: home.path) == [])
            #expect(try home.setAside == [])
        }
    }

    @Test func `nothing is found after a repair, and damaged rows are set aside`() async throws {
        try await StoreDirectory.with { root in
            let home = StoreDirectory(path: root.path + "/store", key: .random())
            let store = try await home.open()
            for start in stride(from: 0, to: 600, by: 60) {
                _ = try await store.append(
                    (start..<start + 60).map(Self.draft), checkpoint: Self.checkpoint(start + 59))
            }
            let expected = try await contents(store)
            await store.close()
            let pages = try home.bytes(of: "track.sqlite").count / 4096
            try home.overwritePage(pages / 2, with: [UInt8](repeating: 0xa5, count: 4096))
            try FileManager.default.removeItem(atPath: home.path + "/track.ledger")
            let repaired = try await home.open()
            let kept = try await contents(repaired)
            #expect(kept.count > 500 && kept.count < 600)
            #expect(kept.allSatisfy { expected.contains($0) })
            await repaired.close()
            let name = try home.setAside
            #expect(name == ["track.sqlite.corrupt-sealed-000001"])
            let now = Traces.times(.now()).filter { $0.meaning.contains("name") || $0.meaning.contains("text") }
            #expect(try Self.traces.found(in: home.path) == [])
            #expect(
                try home.names.allSatisfy { name in
                    now.allSatisfy { !name.contains(String(decoding: $0.bytes, as: UTF8.self)) }
                })
        }
    }
}
