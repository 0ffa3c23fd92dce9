import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// Removals on a disk that has no room for a rewrite.
@Suite("A removal on a full disk", .timeLimit(.minutes(15)))
struct RemovalTests {
    private static let whole = Samples.seconds(-1_000_000..<100_000_000)

    /// A sound history with more points than one step removes, and no room for a rewrite.
    private static func withHistory(_ body: (TrackHistory) async throws -> Void) async throws {
        for key in [nil, Samples.key] {
            try await TestEnvironment.withTemporaryDirectory { directory in
                var environment = HistoryEnvironment()
                environment.roomForSalvage = { _ in 0 }
                let history = try await TrackHistory.open(directory: directory, key: key, environment: environment)
                _ = try await history.add((0..<12_000).map { Samples.point(Double($0)) }, of: Samples.device)
                try await body(history)
                await history.close()
            }
        }
    }

    private static func count(_ history: TrackHistory) async throws -> Int {
        try await history.points(of: Samples.device, during: whole, limit: .max).count
    }

    @Test func `One of a sound history that is cancelled is no damage`() async throws {
        try await Self.withHistory { history in
            let removed = try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await history.remove(Samples.device, during: Self.whole)
                }
                return try await group.next() ?? 0
            }
            #expect(removed > 0 && removed < 12_000)
            #expect(try await Self.count(history) == 12_000 - removed)
        }
    }
}
