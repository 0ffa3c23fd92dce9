import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// Files of a history that SQLite does not open, or of which it reaches only a part.
@Suite("A damaged file of a history", .timeLimit(.minutes(15)))
struct DamagedFileTests {
    private static let whole = Samples.seconds(-1_000_000..<100_000_000)
    private static let count = 400

    /// A history with two devices, closed.
    private static func make(_ directory: String, _ key: StoreKey?) async throws -> [DeviceID: Set<HistoryPoint>] {
        let history = try await TrackHistory.open(directory: directory, key: key)
        for device in [Samples.device, "bike"] {
            let points = (0..<count).map { index -> HistoryPoint in
                let name: SenderID? = index % 3 == 0 ? .text("\(device)-\(index)") : nil
                var point = Samples.point(Double(index), north: Double(index), senderID: name)
                point.source = "phone"
                return point
            }
            _ = try await history.add(points, events: [Samples.visit(0, to: 50)], of: device)
        }
        let points = try await points(history)
        await history.close()
        return points
    }

    private static func points(_ history: TrackHistory) async throws -> [DeviceID: Set<HistoryPoint>] {
        var found: [DeviceID: Set<HistoryPoint>] = [:]
        for device in try await history.devices().map(\.id) {
            found[device] = Set(try await history.points(of: device, during: whole, limit: .max))
        }
        return found
    }

    private static func change(_ path: String, _ body: (inout Data) -> Void) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        body(&data)
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// Damages of the first page, after which all rows are there.
    private enum FirstPage: CaseIterable {
        case zeroed, mark, version, laterVersion, largestVersion, schema, pageSize

        func damage(_ data: inout Data) {
            switch self {
            case .zeroed: data.replaceSubrange(0..<4_096, with: Data(count: 4_096))
            case .mark: data[3] ^= 0x10
            case .version: data[63] ^= 1
            case .laterVersion: data[63] ^= 8
            case .largestVersion: data[60] ^= 0x80
            case .schema: data[100] = 0xEE
            case .pageSize: data[16] ^= 0x08
            }
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `Nothing is lost with its first page, and the damaged file is kept`(_ key: StoreKey?) async throws {
        for damage in FirstPage.allCases {
            try await TestEnvironment.withTemporaryDirectory { directory in
                let all = try await Self.make(directory, key)
                let path = directory + "/history.sqlite"
                try Self.change(path, damage.damage)
                var history = try await TrackHistory.open(directory: directory, key: key)
                #expect(try await Self.points(history) == all, "\(damage)")
                let events = try await history.events(of: "bike", during: Self.whole, limit: 9).events
                #expect(events.count == 1)
                #expect(history.health.statusItems.map(\.name) == ["damaged", "copy"])
                #expect(history.health.damagedCopies == [path + ".damaged"])
                #expect(try await history.add([Samples.point(1_000)], of: "bike").added == 1)
                await history.close()
                history = try await TrackHistory.open(directory: directory, key: key)
                #expect(try await Self.points(history)["bike"]?.count == Self.count + 1)
                await history.close()
            }
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `A history of a newer release is refused, also where its version is like a damaged one`(
        _ key: StoreKey?
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Self.make(directory, key)
            let path = directory + "/history.sqlite"
            try Databases.change(path, "CREATE TABLE newer (id)")
            for version in key == nil ? [7, 4] : [111, 104] {
                try Databases.setVersion(version, of: path)
                let files = try Data(contentsOf: URL(fileURLWithPath: path))
                await #expect { try await TrackHistory.open(directory: directory, key: key) } throws: {
                    ($0 as? StoreError)?.code == .newerSchema
                }
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == files)
            }
        }
    }

    @Test func `A wrong bit in the number by which an encrypted history names its key is repaired`() async throws {
        for bit in [0, 13, 31] {
            try await TestEnvironment.withTemporaryDirectory { directory in
                let all = try await Self.make(directory, Samples.key)
                let path = directory + "/history.sqlite"
                try Self.change(path) { $0[68 + bit / 8] ^= 1 << (bit % 8) }
                await #expect { try await TrackHistory.open(directory: directory) } throws: {
                    ($0 as? StoreError)?.code == .wrongKey
                }
                var history = try await TrackHistory.open(directory: directory, key: Samples.key)
                #expect(try await Self.points(history) == all)
                #expect(try await history.notice() != nil)
                await history.close()
                history = try await TrackHistory.open(directory: directory, key: Samples.key)
                #expect(try await Self.points(history) == all)
                #expect(try await history.notice() == nil)
                await history.close()
            }
        }
    }

    @Test func `An encrypted history with a wrong bit in its version is not opened without its key`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let all = try await Self.make(directory, Samples.key)
            try Self.change(directory + "/history.sqlite", FirstPage.laterVersion.damage)
            await #expect { try await TrackHistory.open(directory: directory) } throws: {
                ($0 as? StoreError)?.code == .wrongKey
            }
            let history = try await TrackHistory.open(directory: directory, key: Samples.key)
            #expect(try await Self.points(history) == all)
            await history.close()
        }
    }

    @Test func `A page of zeros counts as damage of the points`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Self.make(directory, nil)
            let path = directory + "/history.sqlite"
            let page = try DamagedPageTests.leaves("point", path)[2].page
            // The first page, too, so that the history is written anew at the start.
            try Self.change(path) {
                FirstPage.zeroed.damage(&$0)
                $0.replaceSubrange((page - 1) * 4_096..<page * 4_096, with: Data(count: 4_096))
            }
            let history = try await TrackHistory.open(directory: directory)
            #expect(history.health.damagedTables.contains("point"))
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `What is left of a file that is cut off is served, and the status says that more was there`(
        _ key: StoreKey?
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let all = try await Self.make(directory, key)
            let path = directory + "/history.sqlite"
            try Self.change(path) { $0 = $0.prefix($0.count - 4 * 4_096 - 100) }
            let history = try await TrackHistory.open(directory: directory, key: key)
            let found = try await Self.points(history)
            #expect(found.values.reduce(0) { $0 + $1.count } > Self.count / 2)
            for (device, points) in found { #expect(points.isSubset(of: all[device] ?? [])) }
            #expect(history.health.damagedTables.contains("point"))
            #expect(history.health.damagedCopies == [path + ".damaged"])
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `One of which no point can be read is refused, and left as it is`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Self.make(directory, key)
            let path = directory + "/history.sqlite"
            try Self.change(path) { $0 = Data(repeating: 0xEE, count: $0.count) }
            let damaged = try Data(contentsOf: URL(fileURLWithPath: path))
            await #expect { try await TrackHistory.open(directory: directory, key: key) } throws: {
                ($0 as? StoreError)?.code == .damaged && ($0 as? StoreError)?.message.contains(path) == true
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged)
            #expect(!FileManager.default.fileExists(atPath: path + ".damaged"))
        }
    }

    @Test func `An encrypted one is not taken for a plain one without its key`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let all = try await Self.make(directory, Samples.key)
            let path = directory + "/history.sqlite"
            try Self.change(path, FirstPage.zeroed.damage)
            for name in ["history.sqlite.encrypted", "key.sealed"] {
                let file = directory + "/" + name
                try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
                await #expect(throws: StoreError.self) { try await TrackHistory.open(directory: directory) }
            }
            for name in ["history.sqlite.encrypted", "key.sealed"] {
                let file = directory + "/" + name
                try? FileManager.default.removeItem(atPath: file)
                try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
            }
            let history = try await TrackHistory.open(directory: directory, key: Samples.key)
            #expect(try await Self.points(history) == all)
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `An empty file is new only where there was no history before`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { parent in
            let path = parent + "/new/history.sqlite"
            try FileManager.default.createDirectory(atPath: parent + "/new", withIntermediateDirectories: false)
            try Data().write(to: URL(fileURLWithPath: path))
            var history = try await TrackHistory.open(directory: parent + "/new", key: key)
            _ = try await history.add([Samples.point(1)], of: Samples.device)
            try FileManager.default.copyItem(atPath: parent + "/new", toPath: parent + "/log")
            await history.close()
            try Data().write(to: URL(fileURLWithPath: path))
            await #expect { try await TrackHistory.open(directory: parent + "/new", key: key) } throws: {
                ($0 as? StoreError)?.code == .damaged
            }
            // The points are in the log, which SQLite removes beside an empty file.
            try Data().write(to: URL(fileURLWithPath: parent + "/log/history.sqlite"))
            history = try await TrackHistory.open(directory: parent + "/log", key: key)
            #expect(try await Self.points(history).values.map(\.count) == [1])
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `Points below a damaged root page are kept when it is written anew`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let all = try await Self.make(directory, key)
            let path = directory + "/history.sqlite"
            let root = try #require(
                try Databases.number(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'point'"))
            let onRoot = try #require(
                try Databases.number(path, "SELECT ncell FROM dbstat WHERE pageno = \(root)"))
            try DamagedPageTests.damage([root], path)
            let history = try await TrackHistory.open(directory: directory, key: key)
            #expect(try await history.add([Samples.point(1_000)], of: "bike").added == 1)
            let found = try await Self.points(history)
            for (device, points) in all {
                #expect(found[device]?.subtracting(points).count == (device == "bike" ? 1 : 0))
            }
            #expect(found.values.reduce(0) { $0 + $1.count } == 2 * Self.count + 1 - onRoot)
            #expect(history.health.statusItems.map(\.name) == ["damaged", "copy"])
            // Nothing tells whose points were on that page.
            _ = try await history.remove(Samples.device, during: Samples.seconds(0..<1))
            #expect(history.health.statusItems.map(\.name) == ["damaged", "erased"])
            await history.close()
        }
    }

    @Test func `A damaged detail of a point costs the point neither when it is read nor when it is written anew`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Self.make(directory, nil)
            let path = directory + "/history.sqlite"
            let leaves = try DamagedPageTests.leaves("point", path)
            // The source is the number 1, of no bytes (type 9), and becomes a blob of none (type 12); the state is 0 (type 8)
            // or 1, and becomes NULL (type 0).
            try DamagedPageTests.damage(14, ofRow: 20, on: leaves[0].page, path) { $0 == 9 ? 12 : $0 }
            try DamagedPageTests.damage(13, ofRow: 30, on: leaves[0].page, path) { [8, 9].contains($0) ? 0 : $0 }
            try DamagedPageTests.damage([leaves[leaves.count - 1].page], path)
            let history = try await TrackHistory.open(directory: directory)
            let before = try await Self.points(history)
            #expect(before[Samples.device]?.count { $0.source == nil } == 1)
            #expect(try await history.add([Samples.point(1_000)], of: "bike").added == 1)
            let after = try await Self.points(history)
            #expect(after[Samples.device] == before[Samples.device])
            await history.close()
        }
    }

    @Test
    func `A removal erases a damaged copy, whose unreadable pages may be of any device, and says so`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Self.make(directory, nil)
            let path = directory + "/history.sqlite"
            let leaves = try DamagedPageTests.leaves("point", path)
            try DamagedPageTests.damage([leaves[leaves.count - 1].page], path)
            let history = try await TrackHistory.open(directory: directory)
            _ = try await history.add([Samples.point(1_000)], of: "bike")
            #expect(history.health.damagedCopies.count == 1)
            #expect(try await history.remove(Samples.device, during: Self.whole) == Self.count)
            #expect(history.health.damagedCopies.isEmpty)
            #expect(history.health.statusItems.map(\.name) == ["damaged", "erased"])
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(!names.contains { $0.contains(".damaged") })
            await history.close()
        }
    }
}
