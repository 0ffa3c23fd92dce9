import Foundation
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// What appends write, and that it is enough to know where each source stands.
@Suite struct WriteCostTests {
    /// A page and its head in the log.
    private static let frame = 4096 + 24

    private func logSize(_ home: StoreDirectory) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: home.database + "-wal")
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    @Test func `an append of one record with its checkpoint writes one page, and more only when a page is full`()
        async throws
    {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            var pages: [Int] = []
            var before = 0
            for number in 0..<100 {
                let draft = StoreMaterial.draft(number)
                _ = try await store.append([draft], checkpoint: checkpoint(after: draft))
                let size = try logSize(home)
                pages.append((size - before) / Self.frame)
                before = size
            }
            let appends = pages.dropFirst()  // the first one also opens the log
            #expect(appends.count { $0 == 1 } > 80)
            #expect(appends.reduce(0, +) <= 2 * appends.count)
            await store.close()
        }
    }

    private func checkpoint(after draft: RecordDraft, isStandby: Bool = false) -> SourceCheckpoint {
        SourceCheckpoint(
            source: draft.source, last: draft, lastMovement: draft.fix.time.advanced(by: .seconds(-5)),
            isStandby: isStandby, activityState: -7)
    }

    /// Ways on which the records that said where a source stands are gone.
    enum Loss: String, CaseIterable {
        case none, pruned, clearedOfRecords, thousandsMore, dropped
    }

    @Test(arguments: Loss.allCases, [false, true])
    func `where each source stands survives the removal of its records`(_ loss: Loss, _ isKilled: Bool) async throws {
        try await StoreDirectory.with { root in
            let home = root.fresh("home")
            let store = try await home.open()
            try await store.configure(
                RetentionConfiguration(maxRecords: loss == .dropped ? 3 : 0), sinks: ["a"])
            let first = StoreMaterial.draft(8, source: "first")
            let second = StoreMaterial.draft(20, source: "second")
            _ = try await store.append([first], checkpoint: checkpoint(after: first, isStandby: true))
            _ = try await store.append([second], checkpoint: checkpoint(after: second))
            if loss == .thousandsMore || loss == .dropped {
                for start in stride(from: 100, to: 2_600, by: 500) {
                    let drafts = (start..<start + 500).map { StoreMaterial.draft($0, source: "third") }
                    _ = try await store.append(drafts, checkpoint: nil)
                }
            }
            if loss == .pruned {
                let records = try await store.records(after: .zero, limit: 10)
                try await store.settle(Settlement(origin: .queue, records: records, time: .now()), for: "a")
                #expect(try await store.prune(now: StoreMaterial.start).settled == 2)
            }
            if loss == .clearedOfRecords { try await store.clear() }
            let last = try await store.status().lastSequence
            let copy = root.fresh("killed")
            if isKilled { try home.copy(to: copy) }
            await store.close()
            let again = try await (isKilled ? copy : home).open()
            let checkpoints = try await again.checkpoints()
            let expected = [checkpoint(after: first, isStandby: true), checkpoint(after: second)]
            #expect(checkpoints == (loss == .clearedOfRecords ? [] : expected))
            let odometers = try await again.odometers()
            #expect(odometers["first"] == 100)
            #expect(odometers["second"] == 250)
            let next = try await again.append([first], checkpoint: nil).first?.sequence ?? .zero
            #expect(next > last)
            await again.close()
        }
    }

    @Test(arguments: [false, true])
    func `checkpoints that are forgotten stay so`(_ isKilled: Bool) async throws {
        try await StoreDirectory.with { root in
            let home = root.fresh("home")
            let store = try await home.open()
            let (first, second) = (StoreMaterial.draft(1, source: "first"), StoreMaterial.draft(2, source: "second"))
            _ = try await store.append([first], checkpoint: checkpoint(after: first))
            try await store.forgetCheckpoints()
            _ = try await store.append([second], checkpoint: checkpoint(after: second))
            let copy = root.fresh("killed")
            if isKilled { try home.copy(to: copy) }
            await store.close()
            let again = try await (isKilled ? copy : home).open()
            #expect(try await again.checkpoints() == [checkpoint(after: second)])
            await again.close()
        }
    }
}
