import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineTestKit

@Suite("What is made of a history's points", .timeLimit(.minutes(15)))
struct CacheTests {
    private static let whole = Samples.seconds(-1_000_000..<100_000_000)

    private static func drive(_ count: Int, every step: Double = 1) -> [HistoryPoint] {
        var random = SeededGenerator(seed: 11)
        return Samples.drive(count, every: step, using: &random)
    }

    private static func count(_ history: TrackHistory) async throws -> Int {
        try await history.points(of: Samples.device, during: whole, limit: .max).count
    }

    private static func look(at history: TrackHistory) async throws {
        for zoom in [9, 12] { _ = try await history.drawing(of: Samples.device, during: whole, zoom: zoom) }
        _ = try await history.path(of: Samples.device, during: whole, within: 1)
    }

    @Test func `Looking at the map costs no point, however little points may take`() async throws {
        try await Samples.withHistory { history in
            _ = try await history.add(Self.drive(6_000), of: Samples.device)
            var retention = HistoryRetention()
            retention.maxBytes = try await history.bytes()
            try await Self.look(at: history)
            #expect(try await history.cacheBytes() > 0)
            #expect(try await history.bytes() <= retention.maxBytes)
            #expect(try await history.prune(retention) == 0)
            #expect(try await Self.count(history) == 6_000)
        }
    }

    @Test func `Points that take too much go until the rest has room, and no further`() async throws {
        try await Samples.withHistory { history in
            _ = try await history.add(Self.drive(40_000), of: Samples.device)
            _ = try await history.summary(of: Samples.device, during: Self.whole)
            var retention = HistoryRetention()
            retention.maxBytes = try await history.bytes() * 3 / 4
            let removed = try await history.prune(retention)
            let bytes = try await history.bytes()
            #expect(bytes <= retention.maxBytes)
            // A step removes five thousand points, an eighth of all.
            #expect(bytes >= retention.maxBytes * 5 / 6)
            #expect(try await Self.count(history) == 40_000 - removed)
        }
    }

    @Test func `It has a bound of its own, and what is drawn is the same`() async throws {
        try await Samples.withHistory { history in
            try await Samples.withHistory { other in
                for history in [history, other] { _ = try await history.add(Self.drive(5_000), of: Samples.device) }
                let all = [Self.whole, Samples.seconds(0..<2_500)]
                for times in all {
                    for zoom in [9, 12, 15] {
                        _ = try await other.drawing(of: Samples.device, during: times, zoom: zoom)
                    }
                }
                let whole = try await other.cacheBytes()
                let limit = whole / 4
                try await history.boundCache(to: limit)
                for times in all {
                    for zoom in [9, 12, 15] {
                        let drawing = try await history.drawing(of: Samples.device, during: times, zoom: zoom)
                        #expect(try await drawing == other.drawing(of: Samples.device, during: times, zoom: zoom))
                    }
                    #expect(
                        try await history.summary(of: Samples.device, during: times)
                            == other.summary(of: Samples.device, during: times))
                }
                // It is looked at whenever an eighth more was made; a page and what leads to it is the rest.
                #expect(try await history.cacheBytes() <= limit + limit / 4)
                var retention = HistoryRetention()
                retention.maxBytes = 1 << 40
                #expect(try await other.prune(retention) == 0)
                #expect(try await other.cacheBytes() == whole)
            }
        }
    }

    /// The transactions that have changed a database, by the index of its write-ahead log: `iChange`, the third number.
    private static func transactions(_ database: String) throws -> Int {
        let index = try Data(contentsOf: URL(fileURLWithPath: database + "-shm"))
        return Int(index[8..<12].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
    }

    /// A chunk of one point costs 32 of the 32,768 points of a transaction, a drawing of eleven days 1,024.
    @Test func `Ten years of a point a day are drawn the first time in few transactions`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let history = try await TrackHistory.open(directory: directory)
            let points = (0..<3_650).map { (day: Int) in
                Samples.point(Double(day * 86_400), north: Double(day), east: Double(day % 50))
            }
            _ = try await history.add(points, of: Samples.device)
            let times = Samples.seconds(-1..<3_650 * 86_400)
            let database = directory + "/history.sqlite"
            let before = try Self.transactions(database)
            #expect(try await history.summary(of: Samples.device, during: times)?.count == 3_650)
            let summed = try Self.transactions(database)
            #expect((4...6).contains(summed - before), "\(summed - before) transactions")
            #expect(try await !history.drawing(of: Samples.device, during: times, zoom: 9).lines.isEmpty)
            let drawn = try Self.transactions(database)
            #expect((11...14).contains(drawn - summed), "\(drawn - summed) transactions")
            await history.close()
        }
    }

    @Test func `Years of few points are drawn as those of many are`() async throws {
        try await Samples.withHistory { history in
            let points = (0..<1_500).map { (step: Int) in
                Samples.point(Double(step * 1_800), north: Double(step), east: Double(step % 50))
            }
            _ = try await history.add(points, of: Samples.device)
            let summary = try await history.summary(of: Samples.device, during: Self.whole)
            #expect(summary?.count == 1_500)
            #expect(try await !history.drawing(of: Samples.device, during: Self.whole, zoom: 9).lines.isEmpty)
        }
    }
}
