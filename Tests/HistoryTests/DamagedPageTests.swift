import Foundation
import GRDB
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

@Suite("A history with damaged pages", .timeLimit(.minutes(15)))
struct DamagedPageTests {
    private static let whole = Samples.seconds(-1_000_000..<100_000_000)
    private static let count = 12_000

    /// The leaves of a table: their numbers, and how many rows each has.
    private static func leaves(_ table: String, _ path: String) throws -> [(page: Int, rows: Int)] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }  // nothing was written
        return try queue.read { db in
            try Row.fetchAll(
                db, sql: "SELECT pageno, ncell FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path",
                arguments: [table]
            ).map { ($0[0], $0[1]) }
        }
    }

    /// Changes a byte of each page so that no page of its kind begins with it.
    private static func damage(_ pages: [Int], _ path: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        for page in pages {
            try file.seek(toOffset: UInt64(page - 1) * 4_096)
            try file.write(contentsOf: [0xEE])
        }
        try file.close()
    }

    /// Fills a history in which some milliseconds have several points, and closes it.
    private static func fill(_ directory: String, _ key: StoreKey?) async throws -> Set<HistoryPoint> {
        let points = (0..<count).map { index -> HistoryPoint in
            let second: Int = index % 100 < 5 ? index - index % 100 : index
            let name: SenderID? = index % 3 == 0 ? .text("point-\(index)") : nil
            return Samples.point(Double(second), north: Double(index % 5_000), senderID: name)
        }
        let history = try await TrackHistory.open(directory: directory, key: key)
        for start in stride(from: 0, to: count, by: 4_000) {
            _ = try await history.add(Array(points[start..<start + 4_000]), of: Samples.device)
        }
        _ = try await history.path(of: Samples.device, during: whole, within: 2)
        _ = try await history.drawing(of: Samples.device, during: whole, zoom: 10)
        let all = try await history.points(of: Samples.device, during: whole, limit: .max)
        await history.close()
        return Set(all)
    }

    @Test(arguments: [nil, Samples.key], [[3], [3, 4, 9, 30, 31, 60], [0, 1], [-2, -1]])
    func `All points on sound pages are still there, and the status tells of the others`(
        _ key: StoreKey?, _ damaged: [Int]
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let all = try await Self.fill(directory, key)
            let path = directory + "/history.sqlite"
            let leaves = try Self.leaves("point", path)
            let broken = damaged.map { leaves[$0 < 0 ? leaves.count + $0 : $0] }
            try Self.damage(broken.map(\.page), path)
            let history = try await TrackHistory.open(directory: directory, key: key)
            // Between two leaves a row stands on the page above, where it cannot be found from before, nor can those of its time.
            let lost = broken.reduce(0) { $0 + $1.rows + 6 }
            var found: [HistoryPoint] = []
            var position: HistoryPointPosition?
            repeat {
                let page = try await history.points(of: Samples.device, during: Self.whole, after: position, limit: 700)
                found += page.points
                position = page.next
            } while position != nil
            #expect(Set(found).isSubset(of: all) && Set(found).count == found.count)
            #expect(found.count >= all.count - lost && found.count < all.count)
            #expect(try await history.points(of: Samples.device, during: Self.whole, limit: .max).count == found.count)
            #expect(history.health.damage.stretches > 0)
            #expect(history.health.statusItems.map(\.name) == ["damaged"])
            // From behind, the row on the page above is not found.
            let newest = try #require(try await history.devices().first?.newest.fix.time)
            let last = try #require(found.map(\.fix.time).max())
            #expect(newest <= last && last.duration(since: newest) <= .seconds(6))
            try await history.boundCache(to: 0)
            #expect(try await history.summary(of: Samples.device, during: Self.whole)?.count == found.count)
            #expect(try await !history.drawing(of: Samples.device, during: Self.whole, zoom: 12).lines.isEmpty)
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `New points are taken, and what can be read can be removed`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let all = try await Self.fill(directory, key)
            let path = directory + "/history.sqlite"
            let leaves = try Self.leaves("point", path)
            try Self.damage([leaves[5].page, leaves[40].page], path)
            let history = try await TrackHistory.open(directory: directory, key: key)
            let new = (0..<50).map { Samples.point(Double(100_000 + $0)) }
            #expect(try await history.add(new, of: Samples.device).added == 50)
            let removed = try await history.remove(Samples.device, during: Samples.seconds(-1..<50_000))
            // What lies beside a damaged page stays where the two would have to be joined.
            #expect(removed > all.count - 6 * (leaves[5].rows + leaves[40].rows))
            let left = try await history.points(of: Samples.device, during: Self.whole, limit: .max)
            #expect(left.suffix(50).map(\.fix.time) == new.map(\.fix.time))
            #expect(left.count < 6 * (leaves[5].rows + leaves[40].rows))
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key], ["chunk", "drawing"])
    func `What was made of the points is made anew where it is damaged`(_ key: StoreKey?, _ table: String) async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Self.fill(directory, key)
            let path = directory + "/history.sqlite"
            let before = try await Self.drawn(directory, key)
            try Self.damage(try Self.leaves(table, path).map(\.page), path)
            #expect(try await Self.drawn(directory, key) == before)
            // By who adds, too.
            try Self.damage(try Self.leaves(table, path).map(\.page), path)
            let history = try await TrackHistory.open(directory: directory, key: key)
            #expect(try await history.add([Samples.point(700.5)], of: Samples.device).added == 1)
            #expect(
                try await history.summary(of: Samples.device, during: Self.whole)?.count
                    == history.points(of: Samples.device, during: Self.whole, limit: .max).count)
            await history.close()
        }
    }

    private static func drawn(_ directory: String, _ key: StoreKey?) async throws -> [MapDrawing] {
        let history = try await TrackHistory.open(directory: directory, key: key)
        var drawings: [MapDrawing] = []
        for zoom in [8, 10] {
            drawings.append(try await history.drawing(of: Samples.device, during: whole, zoom: zoom))
        }
        await history.close()
        return drawings
    }
}
