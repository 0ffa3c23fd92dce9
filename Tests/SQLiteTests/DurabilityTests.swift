import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

@Suite struct DurabilityTests {
    @Test func `commits are synchronised to the disk, also after a relaxed one`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            #expect(try await store.synchronousSetting() == 2)
            _ = try await store.append(StoreMaterial.drafts(0..<4), checkpoint: nil)
            let batch = try #require(try await store.nextBatch(for: "a", limit: 2))
            try await store.settle(Settlement(origin: .queue, records: batch.records, time: .now()), for: "a")
            #expect(try await store.synchronousSetting() == 2)
            try await store.prune(now: StoreMaterial.start)
            #expect(try await store.synchronousSetting() == 2)
            await store.close()
        }
    }

    /// Twenty rows go in with one statement, what is left over one by one.
    @Test func `appends of any length are kept whole and in order, also when they are read anew`() async throws {
        try await StoreDirectory.with { home in
            let lengths = [1, 19, 20, 21, 0, 40, 45, 100]
            let store = try await home.open()
            var appended: [TrackRecord] = []
            for length in lengths {
                let drafts = StoreMaterial.drafts(appended.count..<appended.count + length)
                appended += try await store.append(drafts, checkpoint: nil)
            }
            #expect(appended.map(\.sequence.rawValue) == Array(1...246))
            #expect(appended.map(\.draft) == StoreMaterial.drafts(0..<246))
            await store.close()
            let reopened = try await home.open()
            #expect(try await reopened.allRecords() == appended)
            await reopened.close()
        }
    }

    @Test func `only what must not be lost is synchronised`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            func commits(_ work: () async throws -> Void) async throws -> Int {
                let before = try await store.durableCommits()
                try await work()
                return try await store.durableCommits() - before
            }
            var records: [TrackRecord] = []
            #expect(
                try await commits {
                    records = try await store.append(
                        StoreMaterial.drafts(0..<9), checkpoint: StoreMaterial.checkpoint(1))
                } == 1)
            #expect(try await commits { try await settle(0..<3, refusing: []) } == 0)
            #expect(try await commits { try await settle(3..<6, refusing: [4]) } == 1)
            #expect(try await commits { try await store.prune(now: StoreMaterial.start) } == 0)
            #expect(try await commits { _ = try await store.requeueDeadLetters(DeadLetterSelection()) } == 1)
            #expect(try await commits { try await store.clear() } == 1)
            await store.close()

            func settle(_ places: Range<Int>, refusing refused: [Int]) async throws {
                let reasons = Dictionary(uniqueKeysWithValues: refused.map { (records[$0].id, "no") })
                let settled = Array(records[places])
                try await store.settle(
                    Settlement(origin: .queue, records: settled, refused: reasons, time: StoreMaterial.start), for: "a")
            }
        }
    }

    @Test func `appends that arrive during a commit share the next one, in their order`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            let before = try await store.durableCommits()
            let isBusy = Mutex(false)
            async let busy: Void = store.occupy {
                isBusy.withLock { $0 = true }
                return store.waitingAppends < 50
            }
            await eventually("the store is busy") { isBusy.withLock { $0 } }
            let numbers = try await withThrowingTaskGroup(of: (Int, [Int64]).self) { group in
                for caller in 0..<50 {
                    group.addTask {
                        let drafts = StoreMaterial.drafts(caller * 2..<caller * 2 + 2)
                        return (caller, try await store.append(drafts, checkpoint: nil).map(\.sequence.rawValue))
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            await busy
            #expect(try await store.durableCommits() - before == 1)
            for (caller, own) in numbers {
                let stored = try await store.records(after: RecordSequence(rawValue: (own.first ?? 0) - 1), limit: 2)
                #expect(stored.map(\.draft) == StoreMaterial.drafts(caller * 2..<caller * 2 + 2))
            }
            await store.close()
        }
    }

    @Test func `a settlement in a cancelled task takes effect all the same`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            let records = try await store.append(StoreMaterial.drafts(0..<6), checkpoint: nil)
            let task = Task {
                await eventuallyCancelled()
                let settlement = Settlement(
                    origin: .queue, records: Array(records[..<4]), refused: [records[1].id: "no"],
                    time: StoreMaterial.start)
                try await store.settle(settlement, for: "a")
                return try await store.append(StoreMaterial.drafts(6..<7), checkpoint: nil)
            }
            task.cancel()
            let late = try await task.value
            #expect(try await store.nextBatch(for: "a", limit: 9)?.records == Array(records[4...]) + late)
            #expect(try await store.deadLetters(of: "a").map(\.record) == [records[1]])
            await store.close()
        }
    }

    private func eventuallyCancelled() async {
        while !Task.isCancelled { await Task.yield() }
    }

    @Test(arguments: 1...6)
    func `what was acknowledged before a kill is there afterwards`(_ round: Int) async throws {
        try await StoreDirectory.with { home in
            var acknowledged: [Int64: String] = [:]
            var (settling, settled): (Int64, Int64) = (0, 0)
            for life in 1...3 {
                let words = "\(home.path)/said-\(life)"
                let program = TestEnvironment.builtProduct("store-writer")
                // Into a file, which holds what was said until the very end; a pipe's reader may lag behind.
                let writer = try ChildProcess(
                    "/bin/sh", ["-c", "exec \"$0\" \"$1\" append > \"$2\"", program, home.path, words])
                let lines = round * life * 40
                await eventually("the writer has said \(lines) lines") {
                    Said.lines(in: words).count >= lines
                }
                writer.killNow()
                let said = Said(file: words)
                acknowledged.merge(said.acknowledged) { first, second in "\(first) and \(second)" }
                (settling, settled) = (max(settling, said.settling), max(settled, said.settled))
                let store = try await home.open()
                let stored = try await store.allRecords(page: 1_000)
                let kept = Dictionary(uniqueKeysWithValues: stored.map { ($0.sequence.rawValue, "\($0.id.rawValue)") })
                #expect(acknowledged.allSatisfy { kept[$0.key] == $0.value })
                #expect(Set(stored.map(\.id)).count >= acknowledged.count / life)
                let next = try await store.nextBatch(for: "a", limit: 1)?.records.first?.sequence.rawValue
                #expect(next ?? .max > settled, "a settled record came back")
                // Numbers go on above a kill with a gap, so the first one that may wait is looked for, not counted.
                let waiting = stored.lazy.map(\.sequence.rawValue).first { $0 > settling }
                #expect(next ?? .max <= waiting ?? .max, "a record was skipped")
                #expect(try await store.status().warning == nil)
                await store.close()
            }
        }
    }

    /// What a writer has said in whole lines.
    private struct Said {
        var acknowledged: [Int64: String] = [:]
        var settling: Int64 = 0
        var settled: Int64 = 0

        static func lines(in file: String) -> [Substring] {
            let text = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
            let lines = text.split(separator: "\n")
            return text.hasSuffix("\n") ? lines : lines.dropLast()
        }

        init(file: String) {
            for line in Self.lines(in: file) {
                let words = line.split(separator: " ")
                guard let number = words.dropFirst().first.flatMap({ Int64($0) }) else { continue }
                switch words[0] {
                case "ok": acknowledged[number] = words.last.map(String.init)
                case "settling": settling = max(settling, number)
                case "settled": settled = max(settled, number)
                default: continue
                }
            }
        }
    }

    @Test func `after failed writes the store opens again, and nothing acknowledged is missing`() async throws {
        try await StoreDirectory.with { home in
            let writer = try ChildProcess(TestEnvironment.builtProduct("store-writer"), [home.path, "limited"])
            #expect(await writer.exit() == 0)
            await eventually("its words have arrived") { writer.text.contains("ended") }
            let lines = writer.text.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("failed inputOutput") || $0.hasPrefix("failed full") })
            let acknowledged = lines.filter { $0.hasPrefix("ok ") }.map { $0.split(separator: " ") }
            let store = try await home.open()
            let stored = try await store.allRecords(page: 1_000)
            #expect(stored.map { "\($0.sequence)" } == acknowledged.map { String($0[1]) })
            #expect(stored.map { "\($0.id.rawValue)" } == acknowledged.map { String($0[2]) })
            #expect(try await store.status().warning == nil)
            await store.close()
        }
    }
}
