import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// Processes that are killed while they work with an encrypted store.
/// They take minutes where nothing is optimised.
@Suite(.enabled(if: TestEnvironment.isOptimised)) struct EncryptedKillTests {
    private func variables(_ key: StoreKey?, new: StoreKey? = nil) -> [String: String] {
        var variables: [String: String] = [:]
        variables["STORE_KEY"] = key?.hexadecimal.revealed
        variables["STORE_NEW_KEY"] = new?.hexadecimal.revealed
        return variables
    }

    private func lines(_ file: String) -> [[Substring]] {
        let text = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
        let lines = text.split(separator: "\n")
        return (text.hasSuffix("\n") ? lines : lines.dropLast()).map { $0.split(separator: " ") }
    }

    @Test func `what was acknowledged before twenty kills is there afterwards, and nothing can be read`() async throws {
        try await StoreDirectory.with { root in
            let home = StoreDirectory(path: root.path + "/store", key: .random())
            var acknowledged: [Int64: String] = [:]
            for life in 1...20 {
                let words = "\(root.path)/said-\(life)"
                let writer = try ChildProcess(
                    "/bin/sh",
                    [
                        "-c", "exec \"$0\" \"$1\" append > \"$2\"", TestEnvironment.builtProduct("store-writer"),
                        home.path, words,
                    ],
                    environment: variables(home.key))
                await eventually("the writer has said something") {
                    lines(words).count >= life * 7
                }
                writer.killNow()
                for line in lines(words) where line.first == "ok" {
                    if let number = Int64(line[1]) { acknowledged[number] = String(line[2]) }
                }
                let store = try await home.open()
                let stored = try await store.allRecords(page: 1_000)
                let kept = Dictionary(uniqueKeysWithValues: stored.map { ($0.sequence.rawValue, "\($0.id.rawValue)") })
                let first = stored.first?.sequence.rawValue ?? 0
                #expect(acknowledged.allSatisfy { $0.key < first || kept[$0.key] == $0.value })
                #expect(try await store.status().warning == nil)
                await store.close()
                guard life % 5 == 0 else { continue }
                // The writer's ids, places and speeds are small whole numbers, which are found anywhere.
                let some = [stored.first, stored.last].compactMap { $0?.draft }
                let found = try Traces(of: some, reasons: []).found(in: home.path)
                #expect(found.filter { $0.contains("a time") || $0.contains("a source's name") } == [])
            }
        }
    }

    /// Random moments of the time that a change of key takes; which steps they hit is up to the machine. Every step by itself is
    /// examined in `KeyTests`.
    @Test func `twenty kills during rotations and ten while a store is being encrypted lose nothing`() async throws {
        try await StoreDirectory.with { root in
            var home = StoreDirectory(path: root.path + "/store", key: .random())
            let drafts = (0..<1_000).map(SearchTests.draft)
            let store = try await home.open()
            let records = try await store.append(drafts, checkpoint: nil)
            await store.close()
            var hits = Set<Bool>()
            for round in 0..<20 {
                let new = StoreKey.random()
                try await kill(home.path, "rewrite", variables(home.key, new: new), afterSaying: "rewriting", round)
                hits.insert(try await open(&home, orUnder: new, records))
            }
            for round in 0..<10 {
                var plain = StoreDirectory(path: root.path + "/plain-\(round)")
                let store = try await plain.open()
                let own = try await store.append(drafts, checkpoint: nil)
                await store.close()
                plain.key = .random()
                try await kill(plain.path, "open", variables(plain.key), afterSaying: nil, round)
                _ = try await open(&plain, orUnder: .random(), own)
                #expect(try Traces(of: Array(drafts.prefix(3)), reasons: []).found(in: plain.path) == [])
            }
            #expect(!hits.isEmpty)
        }
    }

    /// Ends a writer some milliseconds after it began, later from round to round.
    private func kill(
        _ path: String, _ work: String, _ variables: [String: String], afterSaying word: String?, _ round: Int
    ) async throws {
        let writer = try ChildProcess(
            TestEnvironment.builtProduct("store-writer"), [path, work], environment: variables)
        if let word { await eventually("it has begun") { writer.text.contains(word) || !writer.isRunning } }
        let end = ContinuousClock.now.advanced(by: .milliseconds(round * 9))
        while ContinuousClock.now < end, writer.isRunning { await Task.yield() }
        writer.killNow()
    }

    /// Whether the store has the new key.
    private func open(_ home: inout StoreDirectory, orUnder new: StoreKey, _ records: [TrackRecord]) async throws
        -> Bool
    {
        let old = home.key
        home.key = new
        var store: SQLiteFixStore?
        do { store = try await home.open() } catch let error as StoreError where error.code == .wrongKey {
            home.key = old
        }
        let found: SQLiteFixStore
        if let store { found = store } else { found = try await home.open() }
        #expect(try await found.allRecords(page: 1_000) == records)
        #expect(try await found.status().warning == nil)
        await found.close()
        #expect(try home.names.allSatisfy { !$0.contains("rewrit") })
        return home.key == new
    }
}
