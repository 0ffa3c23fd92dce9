import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// Damage after which a query ends early, without an error.
@Suite("A history in which damage hides rows", .timeLimit(.minutes(15)))
struct DamagedTreeTests {
    private static let total = DamagedKeyTests.devices.count * DamagedKeyTests.count

    private static func change(_ path: String, _ body: (inout Data) throws -> Void) throws {
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        try body(&data)
        try data.write(to: url)
    }

    /// Runs a body with copies of one history: each is changed before it is opened.
    private static func withCopies<Change>(
        _ key: StoreKey?, _ changes: (String) throws -> [Change], _ apply: (Change, inout Data) throws -> Void,
        _ body: (Change, TrackHistory) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { parent in
            let sound = parent + "/sound"
            try FileManager.default.createDirectory(atPath: sound, withIntermediateDirectories: false)
            try await DamagedKeyTests.make(sound, key)
            for (index, change) in try changes(sound + "/history.sqlite").enumerated() {
                let directory = "\(parent)/\(index)"
                try FileManager.default.copyItem(atPath: sound, toPath: directory)
                try Self.change(directory + "/history.sqlite") { try apply(change, &$0) }
                let history = try await TrackHistory.open(directory: directory, key: key)
                try await body(change, history)
                await history.close()
            }
        }
    }

    /// Inner pages that are marked as leaves, so that they look like a table of a few rows.
    @Test(arguments: [nil, Samples.key], ["point", "event"])
    func `A root with a wrong mark is noticed at the opening, and the next addition brings the rows back`(
        _ key: StoreKey?, _ table: String
    ) async throws {
        try await Self.withCopies(key) { path in
            [try #require(try Databases.number(path, "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'"))]
        } _: { root, data in
            #expect(data[(root - 1) * 4_096] == 2)
            data[(root - 1) * 4_096] ^= 8
        } _: { _, history in
            #expect(history.health.damagedTables == [table])
            let added = try await history.add([Samples.point(0)], of: DamagedKeyTests.devices[0])
            #expect(added.repeated + added.added == 1)
            // But for those of the root itself.
            let found = try await DamagedKeyTests.rows(history, table)
            #expect((Self.total - 20...Self.total).contains(found))
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `A removal below a root with a wrong mark removes all`(_ key: StoreKey?) async throws {
        try await Self.withCopies(key) { path in
            [try #require(try Databases.number(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'point'"))]
        } _: { root, data in
            data[(root - 1) * 4_096] ^= 8
        } _: { _, history in
            var removed = 0
            for device in DamagedKeyTests.devices {
                removed += try await history.remove(device, during: DamagedPageTests.whole)
            }
            #expect((Self.total - 20...Self.total).contains(removed))
            _ = try await history.add([Samples.point(0)], of: "other")
            for device in DamagedKeyTests.devices {
                #expect(try await history.points(of: device, during: DamagedPageTests.whole, limit: 1).isEmpty)
            }
        }
    }

    @Test(arguments: [nil, Samples.key], ["point", "event"])
    func `A row whose device has become a text or a blob ends no reading`(
        _ key: StoreKey?, _ table: String
    ) async throws {
        try await Self.withCopies(key) { path in
            let leaves = try DamagedPageTests.leaves(table, path)
            let middle = try #require(leaves.indices.dropFirst(leaves.count / 2).first)
            let rows = [2, leaves[middle].rows / 2, leaves[middle].rows - 3]
            return zip([3, 4, 5, 6], rows + rows).map { (page: leaves[middle].page, row: $1, bit: $0) }
        } _: { change, data in
            let start = (change.page - 1) * 4_096
            let cell = start + Int(data[start + 8 + 2 * change.row]) << 8 + Int(data[start + 9 + 2 * change.row])
            // The row's size takes a byte below 128, else two; that of its header is one; then comes the device's type.
            let type = cell + (data[cell] < 128 ? 1 : 2) + 1
            #expect(data[type] == 1)
            data[type] ^= 1 << change.bit
        } _: { change, history in
            let found = try await DamagedKeyTests.rows(history, table)
            // The search for the rows behind it may end at it, too.
            #expect((Self.total - 8..<Self.total).contains(found), "\(change)")
            #expect(history.health.statusItems.map(\.name) == ["damaged"], "\(change)")
        }
    }

    private static func root(_ name: String, _ path: String) throws -> Int {
        try #require(try Databases.number(path, "SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'"))
    }

    private static func swap(_ first: Int, _ second: Int, in data: inout Data) {
        let (one, other) = ((first - 1) * 4_096, (second - 1) * 4_096)
        let bytes = data[one..<one + 4_096]
        data.replaceSubrange(one..<one + 4_096, with: data[other..<other + 4_096])
        data.replaceSubrange(other..<other + 4_096, with: bytes)
    }

    @Test(arguments: [nil, Samples.key], ["sqlite_autoindex_device_1", "device"])
    func `A short table of names is damage, and no device gets a second number`(
        _ key: StoreKey?, _ name: String
    ) async throws {
        try await Self.withCopies(key) { path in
            [try Self.root(name, path)]
        } _: { root, data in
            data[(root - 1) * 4_096 + 4] = 0  // the number of rows, which is 3
        } _: { _, history in
            #expect(history.health.damagedTables == ["device"])
            for device in DamagedKeyTests.devices {
                #expect(try await history.add([Samples.point(1_000_000)], of: device).added == 1)
            }
            let found = try await history.devices().map(\.id)
            #expect(found.count == DamagedKeyTests.devices.count && Set(found) == Set(DamagedKeyTests.devices))
            let ends = Samples.seconds(1_000_000..<1_000_001)
            for device in DamagedKeyTests.devices { _ = try await history.remove(device, during: ends) }
            #expect(try await DamagedKeyTests.rows(history, "point") == Self.total)
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `A device that its index does not have is removed`(_ key: StoreKey?) async throws {
        try await Self.withCopies(key) { path in
            [try Self.root("sqlite_autoindex_device_1", path)]
        } _: { root, data in
            data[(root - 1) * 4_096 + 4] = 0  // the number of rows
        } _: { _, history in
            let device = DamagedKeyTests.devices[1]
            let removed = try await history.remove(device, during: DamagedPageTests.whole)
            let rest = try await history.points(of: device, during: DamagedPageTests.whole, limit: 1)
            #expect(removed == DamagedKeyTests.count && rest.isEmpty)
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `Events in the place of their index end a reading`(_ key: StoreKey?) async throws {
        try await Self.withCopies(key) { path in
            [(try Self.root("event", path), try Self.root("event_end", path))]
        } _: { roots, data in
            Self.swap(roots.0, roots.1, in: &data)
        } _: { _, history in
            for device in DamagedKeyTests.devices {
                _ = try await history.events(of: device, during: DamagedPageTests.whole, limit: 10_000)
            }
            #expect(!history.health.statusItems.isEmpty)
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `A bit that SQLite ignores loses no row`(_ key: StoreKey?) async throws {
        try await Self.withCopies(key) { path in
            [try Self.root("point", path), try DamagedPageTests.leaves("point", path)[1].page]
        } _: { page, data in
            let start = (page - 1) * 4_096
            data[start + (data[start] == 2 ? 12 : 8)] ^= 0x40  // in the offset of the first cell
        } _: { _, history in
            #expect(history.health.damagedTables.isEmpty)
            _ = try await history.add([Samples.point(0)], of: DamagedKeyTests.devices[0])
            #expect(try await DamagedKeyTests.rows(history, "point") == Self.total)
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `Pages that were exchanged give no device the points of another one`(_ key: StoreKey?) async throws {
        try await Self.withCopies(key) { path in
            let pages = try DamagedPageTests.leaves("point", path).map(\.page)
            return [(pages[1], pages[pages.count - 2]), (pages[pages.count / 2], pages[0])]
        } _: { pages, data in
            Self.swap(pages.0, pages.1, in: &data)
        } _: { _, history in
            _ = try await DamagedKeyTests.rows(history, "point")  // looks at each
            #expect(!history.health.statusItems.isEmpty)
            _ = try await history.add([Samples.point(0)], of: DamagedKeyTests.devices[0])
            #expect(try await DamagedKeyTests.rows(history, "point") == Self.total)
        }
    }

    @Test(arguments: [nil, Samples.key], ["point", "event"])
    func `A page with the contents of another one ends no reading`(_ key: StoreKey?, _ table: String) async throws {
        try await Self.withCopies(key) { path in
            let leaves = try DamagedPageTests.leaves(table, path)
            let middle = leaves.count / 2
            return [leaves[0], leaves[leaves.count - 1]].map { (to: leaves[middle], from: $0) }
        } _: { change, data in
            let (to, from) = ((change.to.page - 1) * 4_096, (change.from.page - 1) * 4_096)
            data.replaceSubrange(to..<to + 4_096, with: data[from..<from + 4_096])
        } _: { change, history in
            var found: Set<String> = []
            for device in DamagedKeyTests.devices {
                let whole = DamagedPageTests.whole
                if table == "point" {
                    for point in try await history.points(of: device, during: whole, limit: .max) {
                        found.insert("\(device) \(point.fix.time)")
                    }
                } else {
                    for event in try await history.events(of: device, during: whole, limit: 10_000).events {
                        found.insert("\(device) \(event.begin)")
                    }
                }
            }
            #expect(found.count >= Self.total - change.to.rows - 2, "\(change)")
            #expect(!history.health.statusItems.isEmpty, "\(change)")
        }
    }

    /// A leaf with the contents of a later one of its device: a reading goes from the one before it to the rows of the
    /// later one, and ends there.
    @Test(arguments: [nil, Samples.key], [false, true])
    func `A page with the contents of the one at which a reading ends is noticed`(
        _ key: StoreKey?, _ isLastOfDevice: Bool
    ) async throws {
        try await Self.withCopies(key) { path in
            let leaves = try DamagedPageTests.leaves("point", path)
            var (row, last) = (0, 0)
            while row + leaves[last].rows < DamagedKeyTests.count {
                row += leaves[last].rows + 1  // and the row above
                last += 1
            }
            try #require(last > 1)
            let from = leaves[isLastOfDevice ? last : last - 1]
            let end = isLastOfDevice ? 100_000_000 : DamagedKeyTests.second(row - from.rows / 2)
            return (0..<(isLastOfDevice ? last : last - 1)).map { (to: leaves[$0], from: from, end: end) }
        } _: { change, data in
            let (to, from) = ((change.to.page - 1) * 4_096, (change.from.page - 1) * 4_096)
            data.replaceSubrange(to..<to + 4_096, with: data[from..<from + 4_096])
        } _: { change, history in
            let device = DamagedKeyTests.devices[0]
            let times = Samples.seconds(-1_000..<change.end)
            _ = try await history.points(of: device, during: times, limit: .max)
            #expect(history.health.statusItems.map(\.name) == ["damaged"], "\(change)")
            _ = try await history.add([Samples.point(0)], of: device)
            let rows = try await DamagedKeyTests.rows(history, "point")
            // Of two rows in doubt at the page's ends a rewrite takes neither.
            #expect((Self.total - change.to.rows - 2..<Self.total).contains(rows), "\(change)")
        }
    }
}
