import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// A leaf with the contents of another one of its device, in readings that do not go from the first row to the last.
@Suite("A history with a leaf in another's place", .timeLimit(.minutes(15)))
struct SwappedLeafTests {
    private static let whole = Samples.seconds(-10_000_000..<100_000_000)

    /// Makes a history in which a leaf has the contents of another one.
    ///
    /// - Parameters:
    ///   - isExchanged: whether the other leaf has its contents.
    ///   - roomForSalvage: the bytes that are free for writing it anew.
    private static func withLeaf(
        _ key: StoreKey?, _ points: [HistoryPoint], of devices: [DeviceID] = ["one"], isExchanged: Bool = false,
        roomForSalvage: Int64 = .max, copied: ([(page: Int, rows: Int)]) throws -> (from: Int, to: Int),
        _ body: (TrackHistory, _ first: Int, _ leaf: (page: Int, rows: Int)) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/history.sqlite"
            var history = try await TrackHistory.open(directory: directory, key: key)
            for device in devices {
                for start in stride(from: 0, to: points.count, by: 100) {
                    _ = try await history.add(Array(points[start..<min(start + 100, points.count)]), of: device)
                }
            }
            await history.close()
            let leaves = try DamagedPageTests.leaves("point", path)
            let (from, to) = try copied(leaves)
            var data = try Data(contentsOf: URL(fileURLWithPath: path))
            let (source, target) = ((leaves[from].page - 1) * 4_096, (leaves[to].page - 1) * 4_096)
            let replaced = data[target..<target + 4_096]
            data.replaceSubrange(target..<target + 4_096, with: data[source..<source + 4_096])
            if isExchanged { data.replaceSubrange(source..<source + 4_096, with: replaced) }
            try data.write(to: URL(fileURLWithPath: path))
            var environment = HistoryEnvironment()
            environment.roomForSalvage = { _ in roomForSalvage }
            history = try await TrackHistory.open(directory: directory, key: key, environment: environment)
            // The number of rows before the replaced leaf.
            try await body(history, leaves.prefix(to).reduce(to) { $0 + $1.rows }, leaves[to])
            await history.close()
        }
    }

    private static let walk = (0..<3_000).map { Samples.point(Double($0), north: Double($0)) }

    /// A page of a reading that ends within the copy.
    @Test(arguments: [nil, Samples.key], [30, 161, 2_000])
    func `Pages that end on it lose no point silently`(_ key: StoreKey?, _ limit: Int) async throws {
        try await Self.withLeaf(key, Self.walk) { leaves in
            // The leaf with the row at which the first page ends, or the one with the 1,000th row.
            let sums = leaves.indices.map { leaf in leaves.prefix(leaf).reduce(leaf) { $0 + $1.rows } }
            let to = try #require(sums.lastIndex { $0 + 4 < limit })
            return (leaves.count - 3, max(to, 1))
        } _: { history, _, _ in
            var position: HistoryPointPosition?
            var found = 0
            repeat {
                let page = try await history.points(of: "one", during: Self.whole, after: position, limit: limit)
                found += page.points.count
                position = page.next
            } while position != nil
            #expect(found >= 3_000 || !history.health.statusItems.isEmpty, "\(found) of 3000")
        }
    }

    /// A range that ends, or begins, within the replaced leaf.
    @Test(arguments: [nil, Samples.key], ["later, at the end", "earlier, at the beginning"])
    func `A range that begins or ends on it loses no point silently`(_ key: StoreKey?, _ kind: String)
        async throws
    {
        let isEnd = kind == "later, at the end"
        try await Self.withLeaf(key, Self.walk) { leaves in
            (isEnd ? leaves.count - 3 : 3, leaves.count / 2)
        } _: { history, first, leaf in
            let middle = first + leaf.rows / 2
            let range = isEnd ? 100..<middle : middle..<2_500
            let found = try await history.points(of: "one", during: Samples.seconds(range), limit: .max).count
            #expect(found == range.count || !history.health.statusItems.isEmpty, "\(found) of \(range.count)")
        }
    }

    /// 176 rows of 23 bytes on a page: a clock that begins in 1970, and no position.
    @Test func `A leaf with as many rows as a page can have is noticed, too`() async throws {
        var random = SeededGenerator(seed: 3)
        let points = (10..<4_000).shuffled(using: &random).map {
            HistoryPoint(
                fix: Fix(
                    time: Timestamp(secondsSince1970: Int64($0)), coordinate: Coordinate(latitude: 0, longitude: 0)))
        }
        try await Self.withLeaf(nil, points) { leaves in
            #expect(leaves[5].rows == 176)
            return (5, 3)
        } _: { history, first, leaf in
            // A few rows before the end of the copied leaf.
            let end = 10 + first + leaf.rows + 1 + 158 + 1 + 176 - 6
            let times = Timestamp(secondsSince1970: 0)..<Timestamp(secondsSince1970: Int64(end))
            let found = try await history.points(of: "one", during: times, limit: .max).count
            #expect(found >= end - 10 || !history.health.statusItems.isEmpty, "\(found) of \(end - 10)")
        }
    }

    /// Some of the first rows that a pruning finds are of the newest: a leaf has the contents of a later one.
    @Test(arguments: [nil, Samples.key], [0, 15])
    func `A removal of the oldest points removes none of the newest`(_ key: StoreKey?, _ leaf: Int) async throws {
        let points = (0..<8_000).map { Samples.point(Double($0), north: Double($0 % 5_000)) }
        try await Self.withLeaf(key, points) {
            ($0.count - 3, leaf)
        } _: { history, _, _ in
            var retention = HistoryRetention()
            retention.maxBytes = try await history.bytes() / 2
            let removed = try await history.prune(retention)
            _ = try await history.add([Samples.point(50_000)], of: "one")
            let rest = try await history.points(of: "one", during: Samples.seconds(7_600..<8_000), limit: .max).count
            #expect(rest == 400, "\(removed) removed")
        }
    }

    /// The rows of the other device end each search for one's own.
    @Test(arguments: [nil, Samples.key])
    func `A leaf with another device's rows hides none silently`(_ key: StoreKey?) async throws {
        for begin in [-1, 1, 2] {
            for end in [2, 40] {
                try await Self.withLeaf(key, Self.walk, of: ["one", "two"]) { leaves in
                    (leaves.count - 3, 5)
                } _: { history, first, leaf in
                    let part = leaf.rows / 3
                    let range = (begin < 0 ? 100 : first + begin * part)..<(first + end * part)
                    let found = try await history.points(of: "one", during: Samples.seconds(range), limit: .max).count
                    #expect(found == range.count || !history.health.statusItems.isEmpty, "\(found) of \(range.count)")
                }
            }
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `The newest point is not an earlier one silently`(_ key: StoreKey?) async throws {
        try await Self.withLeaf(key, Self.walk) { leaves in
            (3, leaves.count - 1)
        } _: { history, _, _ in
            let newest = try await history.devices().first?.newest
            #expect(newest?.fix.time == Self.walk.last?.fix.time || !history.health.statusItems.isEmpty)
        }
    }

    /// All rows are there, on each other's pages. A point each ten minutes: the newest 2,500 are of 17 days.
    @Test(arguments: [nil, Samples.key], [false, true])
    func `A removal from a history with two leaves in each other's place removes nothing else`(
        _ key: StoreKey?, _ isRead: Bool
    ) async throws {
        let points = (0..<3_000).map { Samples.point(Double($0) * 600, north: Double($0)) }
        for isPruning in [false, true] {
            try await Self.withLeaf(key, points, isExchanged: true) { leaves in
                (leaves.count - 4, leaves.count / 2)
            } _: { history, _, _ in
                if isRead { _ = try await history.points(of: "one", during: Self.whole, limit: .max) }
                if isPruning {
                    var retention = HistoryRetention()
                    retention.keepDays = 17
                    _ = try await history.prune(retention)
                } else {
                    _ = try await history.remove("one", during: Samples.seconds(0..<300_000))
                }
                var found = 0
                for time in [3_000_000.0, 3_000_001] {
                    _ = try await history.add([Samples.point(time)], of: "one")
                    found = try await history.points(of: "one", during: Self.whole, limit: .max).count
                }
                #expect(isPruning ? (2_440...2_460).contains(found) : found == 2_502, "\(found)")
            }
        }
    }

    /// A hundred hours of a point each 2 minutes.
    @Test(arguments: [nil, Samples.key])
    func `A pruning that has no room to write the history anew removes none of the newest, and ends`(_ key: StoreKey?)
        async throws
    {
        let points = (0..<3_000).map { Samples.point(Double($0) * 120, north: Double($0)) }
        for (from, to) in [(10, 3), (3, 10), (20, 1), (15, 2)] {
            try await Self.withLeaf(key, points, roomForSalvage: 0) { _ in
                (from, to)
            } _: { history, _, _ in
                _ = try? await history.points(of: "one", during: Self.whole, limit: .max)
                var retention = HistoryRetention()
                retention.keepDays = 2
                do throws(StoreError) { _ = try await history.prune(retention) } catch {
                    #expect(error.code == .damaged)
                }
                let newest = Samples.seconds(2_900 * 120..<3_000 * 120)
                let rest = try await history.points(of: "one", during: newest, limit: .max).count
                #expect(rest == 100)
            }
        }
    }
}
