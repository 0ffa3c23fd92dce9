import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// Damage that a statement does not meet by itself: it finds no row where there is one.
@Suite("A history with a damaged index", .timeLimit(.minutes(15)))
struct DamagedIndexTests {
    private static let whole = DamagedPageTests.whole

    /// Replaces the contents of a page with those of another one, or exchanges the two.
    private static func copy(_ from: Int, to: Int, exchanging: Bool = false, _ path: String) throws {
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        let (source, target) = ((from - 1) * 4_096, (to - 1) * 4_096)
        let (one, other) = (data[source..<source + 4_096], data[target..<target + 4_096])
        data.replaceSubrange(target..<target + 4_096, with: one)
        if exchanging { data.replaceSubrange(source..<source + 4_096, with: other) }
        try data.write(to: url)
    }

    /// A history whose index of events by their ids lacks the entries of a page.
    private static func withoutEntries(_ key: StoreKey?, _ body: (TrackHistory) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await DamagedPageTests.fill(directory, key)
            let path = directory + "/history.sqlite"
            let leaves = try DamagedPageTests.leaves("sqlite_autoindex_event_2", path)
            try #require(leaves.count > 2)
            try copy(leaves[0].page, to: leaves[1].page, path)
            let history = try await TrackHistory.open(directory: directory, key: key)
            try await body(history)
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `An event that its index does not have is replaced, and nothing is refused`(_ key: StoreKey?) async throws {
        try await Self.withoutEntries(key) { history in
            let longer = (0..<500).map { Samples.visit($0 * 8, to: $0 * 8 + 6) }
            #expect(try await history.add([], events: longer, of: Samples.device).events == 500)
            let found = try await DamagedPageTests.events(history)
            #expect(found.count == 500 && Set(found) == Set(longer))
            #expect(history.health.statusItems.map(\.name).contains("copy"))
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `A removal leaves no event that its index does not have`(_ key: StoreKey?) async throws {
        try await Self.withoutEntries(key) { history in
            try await history.remove(Samples.device, during: Self.whole)
            #expect(try await history.events(of: Samples.device, during: Self.whole, limit: 1).events.isEmpty)
            #expect(try await history.devices().isEmpty)
            _ = try await history.add([Samples.point(0)], of: Samples.device)
            #expect(try await history.events(of: Samples.device, during: Self.whole, limit: 1).events.isEmpty)
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `Points with names that come again replace those of a damaged page`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let all = try await DamagedPageTests.fill(directory, key)
            let path = directory + "/history.sqlite"
            try DamagedPageTests.damage([try DamagedPageTests.leaves("point", path)[20].page], path)
            let history = try await TrackHistory.open(directory: directory, key: key)
            let named = all.filter { $0.senderID != nil }
            _ = try await history.add(Array(named), of: Samples.device)
            #expect(try await DamagedPageTests.points(history).isSuperset(of: named))
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `Without a pointer map a rewrite keeps names and the points of sound pages`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let all = try await DamagedPageTests.fill(directory, key)
            let path = directory + "/history.sqlite"
            try Databases.change(path, "PRAGMA auto_vacuum = 0; VACUUM")
            try #require(try Databases.number(path, "PRAGMA auto_vacuum") == 0)
            let leaf = try DamagedPageTests.leaves("point", path)[20]
            try DamagedPageTests.damage([leaf.page], path)
            let history = try await TrackHistory.open(directory: directory, key: key)
            let unnamed = all.filter { $0.senderID == nil }
            _ = try await history.add(Array(unnamed), of: Samples.device)
            #expect(try await history.devices().map(\.id) == [Samples.device])
            let found = try await DamagedPageTests.points(history)
            #expect(found.isSuperset(of: unnamed) && found.count >= all.count - leaf.rows)
            #expect(history.health.statusItems.map(\.name).contains("copy"))
            await history.close()
        }
    }

    /// A bit of a time on an inner page: 4.7 hours are beyond the rows beside it, 8 s and 262 s are not.
    @Test(arguments: [nil, Samples.key], [24, 18, 13])
    func `A row of an inner page with a wrong time is damage, and no addition is led astray`(
        _ key: StoreKey?, _ bit: Int
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try await DamagedKeyTests.make(directory, key)
            let path = directory + "/history.sqlite"
            let root = try #require(
                try Databases.number(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'point'"))
            let url = URL(fileURLWithPath: path)
            var data = try Data(contentsOf: url)
            let page = (root - 1) * 4_096
            try #require(data[page] == 2)
            let cell = page + Int(data[page + 16]) << 8 + Int(data[page + 17])
            // The first bytes of six are those of each time of these tests.
            let start = Samples.start.secondsSince1970 * 1_000
            let first = withUnsafeBytes(of: start.bigEndian) { Data($0.dropFirst(2).prefix(2)) }
            let time = try #require(data.range(of: first, in: cell..<cell + 48))
            data[time.lowerBound + 5 - bit / 8] ^= 1 << (bit % 8)
            try data.write(to: url)
            let history = try await TrackHistory.open(directory: directory, key: key)
            if bit == 24 { #expect(history.health.damagedTables == ["point"]) }
            let new = (0..<4_000).map { Samples.point(Double($0) + 0.5) }
            for device in DamagedKeyTests.devices {
                #expect(try await history.add(new, of: device).added == new.count)
                let found = try await history.points(of: device, during: Self.whole, limit: .max)
                #expect(Set(found).isSuperset(of: new.map(\.kept)))
            }
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key], [40, 200, 1_000])
    func `Events on exchanged pages are told once, however many a page of the answer has`(
        _ key: StoreKey?, _ limit: Int
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await DamagedPageTests.fill(directory, key)
            let path = directory + "/history.sqlite"
            let leaves = try DamagedPageTests.leaves("event", path)
            try #require(leaves.count > 5)
            try Self.copy(leaves[2].page, to: leaves[4].page, exchanging: true, path)
            let history = try await TrackHistory.open(directory: directory, key: key)
            var found: [HistoryEvent] = []
            var position: HistoryEventPosition?
            repeat {
                let page = try await history.events(
                    of: Samples.device, during: Self.whole, after: position, limit: limit)
                found += page.events
                position = page.next
            } while position != nil
            #expect(Set(found).count == found.count)
            #expect(found.count >= 500 - leaves[2].rows - leaves[4].rows)
            #expect(history.health.statusItems.map(\.name) == ["damaged"])
            await history.close()
        }
    }
}

/// Names of an encrypted history that were changed on the disk, without the key.
@Suite("An encrypted history with exchanged names", .timeLimit(.minutes(15)))
struct ExchangedNameTests {
    private static let devices: [DeviceID] = ["alice", "bob", "carol"]

    @Test(arguments: [
        // The keys of two rows, two whole rows, and a row that is gone.
        "UPDATE device SET tag = CASE id WHEN 1 THEN x'00' ELSE tag END; "
            + "UPDATE device SET tag = (SELECT t FROM kept WHERE i = 1) WHERE id = 2; "
            + "UPDATE device SET tag = (SELECT t FROM kept WHERE i = 2) WHERE id = 1",
        "UPDATE device SET tag = x'00' WHERE id = 1; "
            + "UPDATE device SET tag = (SELECT t FROM kept WHERE i = 1), contents = (SELECT c FROM kept WHERE i = 1) "
            + "WHERE id = 2; "
            + "UPDATE device SET tag = (SELECT t FROM kept WHERE i = 2), contents = (SELECT c FROM kept WHERE i = 2) "
            + "WHERE id = 1",
    ])
    func `no device gets the points of another one, and none are lost`(_ change: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try await Self.make(directory)
            try Databases.change(
                directory + "/history.sqlite",
                "CREATE TEMP TABLE kept AS SELECT id AS i, tag AS t, contents AS c FROM device; \(change)")
            let history = try await TrackHistory.open(directory: directory, key: Samples.key)
            for isFirst in [true, false] {
                for (index, device) in Self.devices.enumerated() {
                    let found = try await history.points(of: device, during: DamagedPageTests.whole, limit: .max)
                    let own = found.allSatisfy { Self.isPoint($0, of: index) }
                    #expect(own && found.count == (isFirst ? 20 : 21), "\(device)")
                }
                guard isFirst else { break }
                for (index, device) in Self.devices.enumerated() {
                    let new = Samples.point(Double(100 + index), north: Double(index) * 10_000)
                    #expect(try await history.add([new], of: device).added == 1)
                }
            }
            #expect(Set(try await history.devices().map(\.id)) == Set(Self.devices))
            await history.close()
        }
    }

    @Test func `a name that is gone is noticed at the opening`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try await Self.make(directory)
            try Databases.change(directory + "/history.sqlite", "DELETE FROM device WHERE id = 2")
            let history = try await TrackHistory.open(directory: directory, key: Samples.key)
            #expect(history.health.damagedTables == ["device"])
            _ = try await history.add([Samples.point(100)], of: "alice")
            #expect(try await history.devices().count == 3)
            await history.close()
        }
    }

    private static func make(_ directory: String) async throws {
        let history = try await TrackHistory.open(directory: directory, key: Samples.key)
        for (index, device) in devices.enumerated() {
            let points = (0..<20).map { Samples.point(Double($0), north: Double(index) * 10_000) }
            _ = try await history.add(points, of: device)
        }
        await history.close()
    }

    private static func isPoint(_ point: HistoryPoint, of index: Int) -> Bool {
        abs(point.fix.coordinate.latitude - 53.55 - Double(index) * 10_000 / 111_200) < 1e-3
    }
}
