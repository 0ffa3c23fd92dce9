import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// The store of WritingAStore keeps the laws. `scripts/checks/readme` compares it with the article.
@Suite struct LineStoreTests {
    @Test func `the store keeps the laws of stores`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let laws = StoreLaws(
                capabilities: [],
                make: { try await LineStore.open(folder: freshFolder(in: directory)) },
                reopen: { store in
                    await store.close()
                    return try await LineStore.open(folder: (store as? LineStore)?.folder ?? "")
                })
            let report = try await laws.report()
            #expect(report.violations == [], "\(report)")
        }
    }

    @Test func `the report says which laws a store that only keeps and delivers leaves out`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let laws = StoreLaws(
                capabilities: [], make: { try await LineStore.open(folder: freshFolder(in: directory)) },
                reopen: { $0 })
            let report = try await laws.report()
            #expect(report.findings.filter { $0.verdict == .notExamined }.count == 20, "\(report)")
            #expect(report.description.contains("not examined: keepsCheckpoints: the store has no checkpoints"))
        }
    }

    @Test func `what a store claims to have is examined`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let laws = StoreLaws(
                capabilities: [.checkpoints, .deadLetters],
                make: { try await LineStore.open(folder: freshFolder(in: directory)) })
            let broken = Set(try await laws.violations().map(\.law))
            #expect(broken.isSuperset(of: ["keepsCheckpoints", "listsTheRefused", "refusesEverythingOnceClosed"]))
        }
    }

    @Test func `a line that has no end was not acknowledged, and what comes next follows on the last whole one`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/track.lines"
            let drafts = SampleRecords.records(count: 3).map(\.draft)
            let store = try await LineStore.open(folder: directory)
            let kept = try await store.append(Array(drafts[..<2]), checkpoint: nil)
            await store.close()
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            let torn = whole + Data(#"{"records":{"_0":[{"id":"#.utf8)
            try torn.write(to: URL(fileURLWithPath: path))
            let again = try await LineStore.open(folder: directory)
            #expect(try await again.records(after: .zero, limit: 9) == kept)
            let next = try await again.append([drafts[2]], checkpoint: nil)
            #expect(try await again.records(after: .zero, limit: 9) == kept + next)
            await again.close()
        }
    }

    @Test func `a file that cannot be read is not replaced by an empty one`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/track.lines"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
            await #expect(throws: StoreError.self) { _ = try await LineStore.open(folder: directory) }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == path)
        }
    }

    @Test func `a record that a receiver will never take is counted as dropped, also after reopening`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let store = try await LineStore.open(folder: directory)
            let records = try await store.append(SampleRecords.records(count: 2).map(\.draft), checkpoint: nil)
            let settlement = Settlement(
                origin: .queue, records: records, refused: [records[0].id: "no"], time: Timestamp(secondsSince1970: 0))
            try await store.settle(settlement, for: "a")
            try await store.settle(settlement, for: "a")
            #expect(try await store.status().dropped == 1)
            await store.close()
            let again = try await LineStore.open(folder: directory)
            #expect(try await again.status().dropped == 1)
            await again.close()
        }
    }
}

private func freshFolder(in directory: String) throws -> String {
    let folder = "\(directory)/\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
}
