import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// Bits of a row's device or time that are flipped at the ends of pages, where the rows of the page alone do not show it.
@Suite("A history with a damaged key", .timeLimit(.minutes(15)))
struct DamagedKeyTests {
    private static let whole = Samples.seconds(-1_000_000..<100_000_000)
    static let devices: [DeviceID] = ["one", "two", "three"]
    static let count = 300

    /// The second of a row in the order of its table: no two rows have the same.
    static func second(_ row: Int) -> Int { row % count * 9 + row / count }

    /// The number of a row's device.
    private static func number(_ row: Int) -> Int64 { Int64(row / count + 1) }

    private static func milliseconds(_ row: Int) -> Int64 {
        (Samples.start.secondsSince1970 + Int64(second(row))) * 1_000
    }

    /// A history with as many points and events of each device, closed.
    static func make(_ directory: String, _ key: StoreKey?) async throws {
        let history = try await TrackHistory.open(directory: directory, key: key)
        for (index, device) in devices.enumerated() {
            let rows = index * count..<(index + 1) * count
            _ = try await history.add(
                rows.map { Samples.point(Double(second($0)), north: Double($0)) },
                events: rows.map { Samples.visit(second($0), to: second($0) + 5) }, of: device)
        }
        await history.close()
    }

    /// A row's cell in its page.
    private struct Cell {
        let page: Int
        let index: Int
        let row: Int
        let isLeaf: Bool
    }

    /// The last row of a leaf, the row above it and the next leaf, and the first row of that.
    private static func boundary(_ table: String, after leaf: Int, _ path: String) throws -> [Cell] {
        let leaves = try DamagedPageTests.leaves(table, path)
        let root = try #require(
            try Databases.number(path, "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'"))
        let next = leaves.prefix(leaf + 1).reduce(leaf) { $0 + $1.rows }
        return [
            Cell(page: leaves[leaf].page, index: leaves[leaf].rows - 1, row: next - 1, isLeaf: true),
            Cell(page: root, index: leaf, row: next, isLeaf: false),
            Cell(page: leaves[leaf + 1].page, index: 0, row: next + 1, isLeaf: true),
        ]
    }

    /// Flips bits in the device or the time of a row (SQLite file format, section 2.1): the device is a byte before the
    /// time, which has six.
    private static func flip(device: UInt8 = 0, time: Int64 = 0, of cell: Cell, _ path: String) throws {
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        let start = (cell.page - 1) * 4_096
        let pointer = start + (cell.isLeaf ? 8 : 12) + 2 * cell.index
        let offset = start + Int(data[pointer]) << 8 + Int(data[pointer + 1])
        func bytes(_ time: Int64) -> Data { withUnsafeBytes(of: time.bigEndian) { Data($0.dropFirst(2)) } }
        let found = try #require(data.range(of: bytes(milliseconds(cell.row)), in: offset..<offset + 48))
        data.replaceSubrange(found, with: bytes(milliseconds(cell.row) ^ time))
        #expect(data[found.lowerBound - 1] == UInt8(number(cell.row)))
        data[found.lowerBound - 1] ^= device
        try data.write(to: url)
    }

    /// Damages the first page, so that the next opening writes the history anew.
    private static func demandRewrite(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        data.replaceSubrange(0..<4_096, with: Data(count: 4_096))
        try data.write(to: url)
    }

    private static let flips: [(device: UInt8, time: Int64)] =
        [1, 2, 4].map { ($0, 0) } + [14, 20, 34, 40].map { (0, 1 << $0) }

    /// The rows that are found under each device: each has its own device and time, or the test fails.
    static func rows(_ history: TrackHistory, _ table: String) async throws -> Int {
        var found = 0
        for device in try await history.devices().map(\.id) {
            let times =
                table == "point"
                ? try await history.points(of: device, during: whole, limit: .max).map(\.fix.time)
                : try await history.events(of: device, during: whole, limit: 10_000).events.map(\.begin)
            let index = try #require(devices.firstIndex(of: device), "\(device)")
            let own = Set((index * count..<(index + 1) * count).map { Samples.time(second($0)) })
            #expect(Set(times).isSubset(of: own) && Set(times).count == times.count, "\(device)")
            found += times.count
        }
        return found
    }

    @Test(arguments: [nil, Samples.key], ["point", "event"])
    func `A row between two pages gets no other device and no false time when the history is written anew`(
        _ key: StoreKey?, _ table: String
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { parent in
            let sound = parent + "/sound"
            try FileManager.default.createDirectory(atPath: sound, withIntermediateDirectories: false)
            try await Self.make(sound, key)
            let leaves = try DamagedPageTests.leaves(table, sound + "/history.sqlite")
            // A boundary within the second device.
            var sums = leaves.indices.map { leaf in leaves.prefix(leaf + 1).reduce(leaf) { $0 + $1.rows } }
            sums.removeLast()
            let leaf = try #require(sums.firstIndex { (Self.count + 5..<2 * Self.count - 5).contains($0) })
            for cell in try Self.boundary(table, after: leaf, sound + "/history.sqlite") {
                for flip in Self.flips {
                    let name = "\(cell.row - sums[leaf]) \(flip)"
                    let directory = "\(parent)/\(name)"
                    try FileManager.default.copyItem(atPath: sound, toPath: directory)
                    let path = directory + "/history.sqlite"
                    try Self.flip(device: flip.device, time: flip.time, of: cell, path)
                    try Self.demandRewrite(path)
                    let history = try await TrackHistory.open(directory: directory, key: key)
                    let found = try await Self.rows(history, table)
                    // Where two rows could be the damaged one, both are left out.
                    #expect(
                        (Self.devices.count * Self.count - 3..<Self.devices.count * Self.count).contains(found),
                        "\(name)")
                    #expect(history.health.damagedTables.contains("point"), "\(name)")
                    await history.close()
                }
            }
        }
    }

    @Test(arguments: ["point", "event"])
    func `The last row of all makes no new device when the history is written anew`(_ table: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { parent in
            let sound = parent + "/sound"
            try FileManager.default.createDirectory(atPath: sound, withIntermediateDirectories: false)
            try await Self.make(sound, nil)
            let leaf = try #require(try DamagedPageTests.leaves(table, sound + "/history.sqlite").last)
            let last = Self.devices.count * Self.count - 1
            for device: UInt8 in [1, 2, 4, 64] {
                let directory = "\(parent)/\(device)"
                try FileManager.default.copyItem(atPath: sound, toPath: directory)
                let path = directory + "/history.sqlite"
                try Self.flip(
                    device: device, of: Cell(page: leaf.page, index: leaf.rows - 1, row: last, isLeaf: true), path)
                try Self.demandRewrite(path)
                let history = try await TrackHistory.open(directory: directory)
                #expect((last - 1...last).contains(try await Self.rows(history, table)), "\(device)")
                #expect(!history.health.damagedTables.isEmpty)
                await history.close()
            }
        }
    }

    @Test(arguments: [nil, Samples.key], ["point", "event"])
    func `A row with another device's number ends no reading, and the status counts it`(
        _ key: StoreKey?, _ table: String
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { parent in
            let sound = parent + "/sound"
            try FileManager.default.createDirectory(atPath: sound, withIntermediateDirectories: false)
            try await Self.make(sound, key)
            let leaves = try DamagedPageTests.leaves(table, sound + "/history.sqlite")
            let sums = leaves.indices.map { leaf in leaves.prefix(leaf + 1).reduce(leaf) { $0 + $1.rows } }
            let leaf = try #require(sums.firstIndex { (Self.count + 120..<2 * Self.count - 5).contains($0) })
            let rows = leaves[leaf].rows
            let cells = [3, rows / 2, rows - 3].map {
                Cell(page: leaves[leaf].page, index: $0, row: sums[leaf] - rows + $0, isLeaf: true)
            }
            for cell in cells {
                let directory = "\(parent)/\(cell.index)"
                try FileManager.default.copyItem(atPath: sound, toPath: directory)
                try Self.flip(device: 1, of: cell, directory + "/history.sqlite")
                let history = try await TrackHistory.open(directory: directory, key: key)
                #expect(try await Self.rows(history, table) == Self.devices.count * Self.count - 1, "\(cell.index)")
                #expect(history.health.statusItems.map(\.name) == ["damaged"])
                await history.close()
            }
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `An event with a damaged beginning ends no reading, and the status counts it`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { parent in
            let sound = parent + "/sound"
            try FileManager.default.createDirectory(atPath: sound, withIntermediateDirectories: false)
            try await Self.make(sound, key)
            let leaf = try #require(try DamagedPageTests.leaves("event", sound + "/history.sqlite").first)
            for (index, bit) in [(3, 40), (leaf.rows / 2, 20), (leaf.rows / 2, 41), (leaf.rows - 2, 46)] {
                let directory = "\(parent)/\(index)-\(bit)"
                try FileManager.default.copyItem(atPath: sound, toPath: directory)
                let cell = Cell(page: leaf.page, index: index, row: index, isLeaf: true)
                try Self.flipFirst(time: 1 << bit, of: cell, directory + "/history.sqlite")
                let history = try await TrackHistory.open(directory: directory, key: key)
                #expect(try await Self.rows(history, "event") == Self.devices.count * Self.count - 1, "\(index) \(bit)")
                #expect(history.health.statusItems.map(\.name) == ["damaged"])
                await history.close()
            }
        }
    }

    /// Flips bits in the time of a row of the first device, whose number takes no byte.
    private static func flipFirst(time: Int64, of cell: Cell, _ path: String) throws {
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        let start = (cell.page - 1) * 4_096
        let offset = start + Int(data[start + 8 + 2 * cell.index]) << 8 + Int(data[start + 9 + 2 * cell.index])
        func bytes(_ time: Int64) -> Data { withUnsafeBytes(of: time.bigEndian) { Data($0.dropFirst(2)) } }
        let found = try #require(data.range(of: bytes(milliseconds(cell.row)), in: offset..<offset + 48))
        data.replaceSubrange(found, with: bytes(milliseconds(cell.row) ^ time))
        try data.write(to: url)
    }

    @Test(arguments: [nil, Samples.key])
    func `A page whose count of rows is too small is damaged when the history is written anew`(
        _ key: StoreKey?
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try await Self.make(directory, key)
            let path = directory + "/history.sqlite"
            let leaf = try DamagedPageTests.leaves("point", path)[1]
            let url = URL(fileURLWithPath: path)
            var data = try Data(contentsOf: url)
            // The highest bit of the count (SQLite file format, section 1.6).
            data[(leaf.page - 1) * 4_096 + 4] ^= UInt8(1 << (leaf.rows.bitWidth - 1 - leaf.rows.leadingZeroBitCount))
            try data.write(to: url)
            try Self.demandRewrite(path)
            let history = try await TrackHistory.open(directory: directory, key: key)
            #expect(try await Self.rows(history, "point") < Self.devices.count * Self.count)
            #expect(history.health.damagedTables.contains("point"))
            await history.close()
        }
    }
}
