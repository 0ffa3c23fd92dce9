import Foundation
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// Files that somebody removes while the store is open.
@Suite struct RemovalTests {
    enum Removal: String, CaseIterable {
        case directory, database, log, replaced

        func inflict(on home: StoreDirectory) throws {
            let files = FileManager.default
            switch self {
            case .directory: try files.removeItem(atPath: home.path)
            case .database: try files.removeItem(atPath: home.database)
            case .log: try files.removeItem(atPath: home.database + "-wal")
            case .replaced:
                try files.moveItem(atPath: home.database, toPath: home.database + ".old")
                try files.copyItem(atPath: home.database + ".old", toPath: home.database)
            }
        }
    }

    @Test(arguments: Removal.allCases)
    func `a store whose files are gone accepts nothing, says so and delivers what it has`(_ removal: Removal)
        async throws
    {
        try await StoreDirectory.with { root in
            let home = root.fresh("home")
            let store = try await home.open()
            let records = try await store.append(StoreMaterial.drafts(0..<5), checkpoint: nil)
            #expect(try await store.status().warning == nil)
            try removal.inflict(on: home)
            await #expect {
                try await store.append(StoreMaterial.drafts(5..<6), checkpoint: nil)
            } throws: {
                ($0 as? StoreError)?.code == .removed
            }
            #expect(try await store.status().warning?.contains("removed") == true)
            #expect(try await store.nextBatch(for: "a", limit: 9)?.records == records)
            try await store.settle(Settlement(origin: .queue, records: records, time: StoreMaterial.start), for: "a")
            #expect(try await store.nextBatch(for: "a", limit: 9) == nil)
            await store.close()
            let again = try await home.open()
            let next = try await again.append(StoreMaterial.drafts(5..<6), checkpoint: nil)
            #expect(try await again.allRecords().last == next.last)
            await again.close()
        }
    }

    @Test func `a store whose directory was moved away and back goes on`() async throws {
        try await StoreDirectory.with { root in
            let home = root.fresh("home")
            let store = try await home.open()
            _ = try await store.append(StoreMaterial.drafts(0..<5), checkpoint: nil)
            try FileManager.default.moveItem(atPath: home.path, toPath: home.path + ".away")
            await #expect { try await store.append(StoreMaterial.drafts(5..<6), checkpoint: nil) } throws: {
                ($0 as? StoreError)?.code == .removed
            }
            try FileManager.default.moveItem(atPath: home.path + ".away", toPath: home.path)
            let next = try await store.append(StoreMaterial.drafts(5..<6), checkpoint: nil)
            #expect(next.map(\.sequence.rawValue) == [6])
            #expect(try await store.status().warning == nil)
            await store.close()
        }
    }
}
