import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

@Suite("A history with damaged pages", .timeLimit(.minutes(15)))
struct DamagedPageTests {
    static let whole = Samples.seconds(-1_000_000..<100_000_000)
    static let count = 6_000
    private static let events = (0..<500).map { Samples.visit($0 * 8, to: $0 * 8 + 5) }

    /// The leaves of a table: their numbers, and how many rows each has.
    static func leaves(_ table: String, _ path: String) throws -> [(page: Int, rows: Int)] {
        let db = try Database(path: path)
        defer { try? db.close() }  // nothing was written
        let sql = "SELECT pageno, ncell FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path"
        return try db.rows(sql: sql, arguments: [table]).compactMap { row in
            row.integer(0).flatMap { page in row.integer(1).map { (Int(page), Int($0)) } }
        }
    }

    /// Changes a byte of each page so that no page of its kind begins with it.
    static func damage(_ pages: [Int], _ path: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        for page in pages {
            try file.seek(toOffset: UInt64(page - 1) * 4_096)
            try file.write(contentsOf: [0xEE])
        }
        try file.close()
    }

    /// Makes the last column of a row longer than the row (SQLite file format, sections 1.6 and 2.1).
    private static func damageLastColumn(ofRow row: Int, on page: Int, _ path: String) throws {
        try damage(nil, ofRow: row, on: page, path) { _ in 0x7F }
    }

    /// Changes the type of a row's column; that of the last one without a number.
    static func damage(
        _ column: Int?, ofRow row: Int, on page: Int, _ path: String, _ change: (UInt8) -> UInt8
    ) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let start = UInt64(page - 1) * 4_096
        try file.seek(toOffset: start)
        let bytes = [UInt8](try #require(try file.read(upToCount: 4_096)))
        let cell = Int(bytes[8 + 2 * row]) << 8 | Int(bytes[9 + 2 * row])
        // The row's size takes a byte below 128, else two; the size of its header one, and the type of each column one.
        let header = cell + (bytes[cell] < 128 ? 1 : 2)
        let type = header + (column.map { $0 + 1 } ?? Int(bytes[header]) - 1)
        try file.seek(toOffset: start + UInt64(type))
        try file.write(contentsOf: [change(bytes[type])])
        try file.close()
    }

    /// A history's files, and what is in it.
    private struct Filled: Sendable {
        var files: [String: Data] = [:]
        var points: Set<HistoryPoint> = []
    }

    // Each is made once.
    private static let inPlain = Task { try await filled(nil) }
    private static let encrypted = Task { try await filled(Samples.key) }

    private static func filled(_ key: StoreKey?) async throws -> Filled {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var filled = Filled()
            filled.points = try await make(directory, key)
            for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
                filled.files[name] = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))
            }
            return filled
        }
    }

    /// Fills a history in which some milliseconds have several points, and closes it.
    static func fill(_ directory: String, _ key: StoreKey?) async throws -> Set<HistoryPoint> {
        let filled = try await (key == nil ? inPlain : encrypted).value
        for (name, data) in filled.files {
            try #require(
                FileManager.default.createFile(
                    atPath: directory + "/" + name, contents: data, attributes: [.posixPermissions: 0o600]))
        }
        return filled.points
    }

    private static func make(_ directory: String, _ key: StoreKey?) async throws -> Set<HistoryPoint> {
        let points = (0..<count).map { index -> HistoryPoint in
            let second: Int = index % 100 < 5 ? index - index % 100 : index
            let name: SenderID? = index % 3 == 0 ? .text("point-\(index)") : nil
            var point = Samples.point(Double(second), north: Double(index % 5_000), senderID: name)
            point.source = index % 2 == 0 ? "even" : "odd"
            return point
        }
        let history = try await TrackHistory.open(directory: directory, key: key)
        for start in stride(from: 0, to: count, by: 2_000) {
            _ = try await history.add(Array(points[start..<start + 2_000]), of: Samples.device)
        }
        _ = try await history.add([], events: events, of: Samples.device)
        _ = try await history.path(of: Samples.device, during: whole, within: 2)
        _ = try await history.drawing(of: Samples.device, during: whole, zoom: 10)
        let all = try await history.points(of: Samples.device, during: whole, limit: .max)
        await history.close()
        return Set(all)
    }

    static func points(_ history: TrackHistory) async throws -> Set<HistoryPoint> {
        Set(try await history.points(of: Samples.device, during: whole, limit: .max))
    }

    static func events(_ history: TrackHistory) async throws -> [HistoryEvent] {
        var found: [HistoryEvent] = []
        var position: HistoryEventPosition?
        repeat {
            let page = try await history.events(of: Samples.device, during: whole, after: position, limit: 400)
            found += page.events
            position = page.next
        } while position != nil
        return found
    }

    @Test(arguments: [nil, Samples.key], [[3], [3, 4, 9, 14, 15, 18], [0, 1], [-2, -1]])
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
            // Between two leaves a row lies on the page above; nothing leads to it where both are damaged.
            let lost = broken.reduce(0) { $0 + $1.rows } + zip(damaged, damaged.dropFirst()).count { $0 + 1 == $1 }
            var found: [HistoryPoint] = []
            var position: HistoryPointPosition?
            repeat {
                let page = try await history.points(of: Samples.device, during: Self.whole, after: position, limit: 700)
                found += page.points
                position = page.next
            } while position != nil
            #expect(Set(found).isSubset(of: all) && Set(found).count == found.count)
            #expect(found.count == all.count - lost)
            #expect(try await history.points(of: Samples.device, during: Self.whole, limit: .max).count == found.count)
            #expect(history.health.damage.stretches > 0)
            #expect(history.health.statusItems.map(\.name) == ["damaged"])
            let newest = try await history.devices().first?.newest.fix.time
            #expect(newest == found.map(\.fix.time).max())
            try await history.boundCache(to: 0)
            #expect(try await history.summary(of: Samples.device, during: Self.whole)?.count == found.count)
            #expect(try await !history.drawing(of: Samples.device, during: Self.whole, zoom: 12).lines.isEmpty)
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key], [[-1], [-2, -1], [7, -1]])
    func `New points are taken though the page of the newest ones is damaged`(
        _ key: StoreKey?, _ damaged: [Int]
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let all = try await Self.fill(directory, key)
            let path = directory + "/history.sqlite"
            let leaves = try Self.leaves("point", path)
            try Self.damage(damaged.map { leaves[$0 < 0 ? leaves.count + $0 : $0].page }, path)
            var history = try await TrackHistory.open(directory: directory, key: key)
            let sound = try await Self.points(history)
            let events = try await Self.events(history)
            #expect(sound.count < all.count)
            let new = (0..<50).map { Samples.point(Double(100_000 + $0)) }
            #expect(try await history.add(new, of: Samples.device).added == 50)
            // A row between two damaged pages is found without the tree.
            let found = try await Self.points(history)
            #expect(found.isSuperset(of: sound.union(new.map(\.kept))))
            #expect(found.isSubset(of: all.union(new.map(\.kept))) && found.count <= sound.count + 51)
            #expect(try await Self.events(history) == events)
            #expect(history.health.statusItems.map(\.name) == ["damaged", "copy"])
            await history.close()

            history = try await TrackHistory.open(directory: directory, key: key)
            #expect(try await Self.points(history) == found)
            #expect(history.health.statusItems.map(\.name) == ["copy"])
            // It may hold what people remove.
            #expect(try await history.remove(Samples.device, during: Samples.seconds(100_000..<100_010)) == 10)
            #expect(!FileManager.default.fileExists(atPath: path + ".damaged"))
            #expect(history.health.statusItems.map(\.name) == ["erased"])
            await history.close()
        }
    }

    @Test(
        arguments: [nil, Samples.key],
        [
            "device", "sqlite_autoindex_device_1", "source", "sqlite_autoindex_source_1", "event", "event_end",
            "sqlite_autoindex_event_2", "sender_id",
        ])
    func `Damage in another table costs what lies there, and nothing else`(_ key: StoreKey?, _ table: String)
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let all = try await Self.fill(directory, key)
            let path = directory + "/history.sqlite"
            let leaves = try Self.leaves(table, path)
            let broken = try #require(leaves.count > 2 ? leaves[1] : leaves.first)
            try Self.damage([broken.page], path)
            var history = try await TrackHistory.open(directory: directory, key: key)
            let isSourceLost = table == "source" && key != nil
            var expected = isSourceLost ? Set(all.map(\.withoutSource)) : all
            let events = table == "event" ? Self.events.count - broken.rows - 1 : Self.events.count
            #expect(try await Self.points(history) == expected)
            let found = try await Self.events(history)
            #expect(found.count >= events && Set(found).isSubset(of: Self.events))
            #expect(try await history.event(Self.events[400].id, of: Samples.device) == Self.events[400])
            let new = (0..<50).map { Samples.point(Double(100_000 + $0), senderID: .text("new-\($0)")) }
            let visits = (0..<50).map { Samples.visit(200_000 + $0, to: 300_000) }
            let added = try await history.add(new, events: visits, of: Samples.device)
            #expect(added.added == 50 && added.events == 50)
            expected.formUnion(new.map(\.kept))
            for _ in 0..<2 {
                #expect(try await Self.points(history) == expected)
                let all = try await Self.events(history)
                #expect(Set(all).isSuperset(of: found + visits) && all.count <= found.count + visits.count + 1)
                #expect(try await history.devices().map(\.id) == [Samples.device])
                await history.close()
                history = try await TrackHistory.open(directory: directory, key: key)
            }
            #expect(try await history.remove(Samples.device, during: Self.whole) == expected.count)
            #expect(try await history.devices().isEmpty)
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `What can be read can be removed, and pruned`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Self.fill(directory, key)
            let path = directory + "/history.sqlite"
            let leaves = try Self.leaves("point", path)
            try Self.damage([leaves[5].page, leaves[15].page], path)
            let history = try await TrackHistory.open(directory: directory, key: key)
            let sound = try await Self.points(history)
            let half = Samples.seconds(-1..<2_000)
            let removed = try await history.remove(Samples.device, during: half)
            #expect(try await Self.points(history) == sound.filter { !half.contains($0.fix.time) })
            #expect(removed == sound.count { half.contains($0.fix.time) })
            var retention = HistoryRetention()
            retention.maxBytes = try await history.bytes() / 2
            #expect(try await history.prune(retention) > 0)
            #expect(try await history.bytes() <= retention.maxBytes)
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `Where there is no room to write it anew it serves and removes what can be read`(_ key: StoreKey?) async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Self.fill(directory, key)
            let path = directory + "/history.sqlite"
            let leaves = try Self.leaves("point", path)
            let others = try ["device", "source", "event", "sender_id"].compactMap { try Self.leaves($0, path).first }
            try Self.damage(([leaves[5], leaves[leaves.count - 1]] + others).map(\.page), path)
            var environment = HistoryEnvironment()
            environment.roomForSalvage = { _ in 0 }
            let history = try await TrackHistory.open(directory: directory, key: key, environment: environment)
            let sound = try await Self.points(history)
            await #expect { try await history.add([Samples.point(100_000)], of: Samples.device) } throws: {
                ($0 as? StoreError)?.code == .damaged
            }
            #expect(history.health.statusItems.map(\.name) == ["failure", "refused", "damaged"])
            #expect(try await Self.points(history) == sound)
            #expect(sound.count > Self.count * 9 / 10)
            // What lies beside a damaged page stays where the two would have to be joined.
            await #expect { try await history.remove(Samples.device, during: Self.whole) } throws: {
                ($0 as? StoreError)?.code == .damaged
            }
            #expect(try await Self.points(history).count < sound.count / 10)
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `Where it cannot be written anew to the end nothing of that is left`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Self.fill(directory, key)
            let path = directory + "/history.sqlite"
            let leaf = try #require(try Self.leaves("point", path).last)
            try Self.damage([leaf.page], path)
            var environment = HistoryEnvironment()
            environment.didTake = { step throws(StoreError) in
                if step == .completedRewrite { throw StoreError(.inputOutput, "the disk fails") }
            }
            var history = try await TrackHistory.open(directory: directory, key: key, environment: environment)
            let sound = try await Self.points(history)
            await #expect { try await history.add([Samples.point(100_000)], of: Samples.device) } throws: {
                ($0 as? StoreError)?.code == .inputOutput
            }
            #expect(try Self.isLocked(path))
            let first = Samples.seconds(-1..<10)
            #expect(try await history.remove(Samples.device, during: first) > 0)
            await history.close()
            history = try await TrackHistory.open(directory: directory, key: key)
            #expect(try await Self.points(history) == sound.filter { !first.contains($0.fix.time) })
            await history.close()
        }
    }

    /// Whether this process has a lock on a file, as SQLite has on a database as long as it is open: by it another program
    /// knows that the log is in use. A line of `/proc/locks` has "POSIX", the process, and the file's number (proc(5)).
    private static func isLocked(_ path: String) throws -> Bool {
        let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
        return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            return words.contains("POSIX") && words.contains("\(getpid())")
                && words.contains { $0.hasSuffix(":\(number ?? 0)") }
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `A device is not forgotten while there are points of it that cannot be read`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Self.fill(directory, key)
            let path = directory + "/history.sqlite"
            try Self.damage(try Self.leaves("point", path).map(\.page), path)
            var environment = HistoryEnvironment()
            environment.roomForSalvage = { _ in 0 }
            let history = try await TrackHistory.open(directory: directory, key: key, environment: environment)
            _ = try await history.remove(Samples.device, during: Self.whole)
            #expect(try await history.events(of: Samples.device, during: Self.whole, limit: 1).events.isEmpty)
            await history.close()
            // Its number would be another device's, whose points the unreadable ones would become.
            #expect(try Databases.number(path, "SELECT count(*) FROM device") == 1)
        }
    }

    @Test func `A row that is damaged behind its time is left out alone`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let all = try await Self.fill(directory, nil)
            let path = directory + "/history.sqlite"
            let leaf = try Self.leaves("point", path)[4]
            try Self.damageLastColumn(ofRow: 20, on: leaf.page, path)
            let history = try await TrackHistory.open(directory: directory)
            #expect(try await Self.points(history).count == all.count - 1)
            #expect(history.health.damage.stretches == 1)
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

extension HistoryPoint {
    fileprivate var withoutSource: HistoryPoint {
        var point = self
        point.source = nil
        return point
    }
}
