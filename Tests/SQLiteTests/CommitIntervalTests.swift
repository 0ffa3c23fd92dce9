import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

@Suite struct CommitIntervalTests {
    private func append(_ number: Int, to store: SQLiteFixStore) async throws -> [TrackRecord] {
        try await store.append([StoreMaterial.draft(number)], checkpoint: nil)
    }

    /// Appends from as many tasks as it is told to, does something while all wait, and gives how many commits it took.
    private func commits(
        of count: Int, _ home: StoreDirectory, interval: Duration, clock: any Clock<Duration>,
        while work: (SQLiteFixStore) async throws -> Void
    ) async throws -> Int {
        let store = try await home.open()
        store.gatherAppends(for: interval, on: clock)
        let before = try await store.durableCommits()
        let commits = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count { group.addTask { try await append(number, to: store).count } }
            await eventually("all wait") { store.waitingAppends == count }
            #expect(try await store.durableCommits() == before)
            #expect(try await store.allRecords() == [])
            try await work(store)
            let appended = try await group.reduce(0, +)
            #expect(appended == count)
            return try await store.durableCommits() - before
        }
        #expect(try await store.allRecords().count == count)
        await store.close()
        return commits
    }

    @Test func `appends of one interval share a commit and return after it`() async throws {
        try await StoreDirectory.with { home in
            let clock = ManualClock()
            let commits = try await commits(of: 5, home, interval: .seconds(5), clock: clock) { store in
                await clock.sleepers(atLeast: 1)
                clock.advance(by: .milliseconds(4_999))
                #expect(store.waitingAppends == 5)
                clock.advance(by: .milliseconds(1))
            }
            #expect(commits == 1)
        }
    }

    @Test func `a store that is opened with an interval lets appends wait from the first one on`() async throws {
        try await StoreDirectory.with { home in
            var configuration = SQLiteFixStore.Configuration(directory: home.path)
            configuration.commitInterval = .seconds(3600)
            let store = try await SQLiteFixStore.open(configuration: configuration)
            async let record = append(0, to: store)
            await eventually("it waits") { store.waitingAppends == 1 }
            await store.commitAtOnce(true)
            let kept = try await record
            #expect(try await store.allRecords() == kept)
            await store.close()
        }
    }

    @Test func `appends that are asked to be kept at once do not wait for the interval`() async throws {
        try await StoreDirectory.with { home in
            let clock = ManualClock()
            let commits = try await commits(of: 3, home, interval: .seconds(60), clock: clock) { store in
                await store.commitAtOnce(true)
            }
            #expect(commits == 1)
        }
    }

    @Test func `an append whose task is cancelled is committed at once`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            store.gatherAppends(for: .seconds(60), on: ManualClock())
            let task = Task { try await append(1, to: store) }
            await eventually("it waits") { store.waitingAppends == 1 }
            task.cancel()
            #expect(try await task.value.count == 1)
            await store.close()
        }
    }

    @Test func `closing commits what waits`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            store.gatherAppends(for: .seconds(60), on: ManualClock())
            async let first = append(1, to: store)
            await eventually("one waits") { store.waitingAppends == 1 }
            async let second = append(2, to: store)
            await eventually("both wait") { store.waitingAppends == 2 }
            await store.close()
            #expect(try await first.count + second.count == 2)
            let again = try await home.open()
            #expect(try await again.allRecords().count == 2)
            await again.close()
        }
    }

    @Test func `as many records as may wait end the interval`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            store.gatherAppends(for: .seconds(60), on: ManualClock())
            async let first = append(0, to: store)
            await eventually("one waits") { store.waitingAppends == 1 }
            let many = try await store.append(StoreMaterial.drafts(1..<1_000), checkpoint: nil)
            #expect(many.count == 999)
            #expect(try await first.count == 1)
            await store.close()
        }
    }

    @Test func `the interval passes on the real clock too`() async throws {
        try await StoreDirectory.with { home in
            let clock = ContinuousClock()
            let start = clock.now
            let commits = try await commits(of: 3, home, interval: .seconds(2), clock: clock) { _ in }
            #expect(commits == 1)
            #expect(clock.now - start >= .seconds(2))
        }
    }
}
