import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// Rewrites of damaged histories, and the damaged databases that they keep.
@Suite("A rewritten history and its damaged copies", .timeLimit(.minutes(15)))
struct DamagedCopyTests {
    private typealias Pages = DamagedPageTests

    /// Damages the page with the newest points, so that the next addition needs a rewrite.
    private static func damageNewest(_ path: String) throws {
        try Pages.damage([#require(try Pages.leaves("point", path).last).page], path)
    }

    /// Flips a bit by which a row's name becomes bytes that are no text (SQLite file format, section 2.1): the type of
    /// a text of n bytes is 13 + 2n, and of other bytes 12 + 2n.
    private static func damagePlainName(_ path: String) throws {
        let page = try #require(Pages.leaves("device", path).first).page
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        let name = Samples.device.rawValue.utf8
        let type = UInt8(13 + 2 * name.count)
        let range = try #require(data.range(of: Data([type] + name), in: (page - 1) * 4_096..<page * 4_096))
        data[range.lowerBound] = type - 1
        try data.write(to: url)
    }

    /// Copies of a history's directory after the steps of a rewrite, as kills would leave it.
    private final class Snapshots: Sendable {
        private let paths = SystemMutex([String]())

        func take(of directory: String, to parent: String) throws(StoreError) {
            try paths.withLock { paths throws(StoreError) in
                let path = "\(parent)/\(paths.count)"
                do { try FileManager.default.copyItem(atPath: directory, toPath: path) } catch {
                    throw StoreError(.inputOutput, "\(error)")
                }
                paths.append(path)
            }
        }

        var all: [String] { paths.withLock { $0 } }
    }

    @Test(arguments: [nil, Samples.key])
    func `A device whose name alone is damaged keeps its points, and is shown under a name of no other`(
        _ key: StoreKey?
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let all = try await Pages.fill(directory, key)
            var history = try await TrackHistory.open(directory: directory, key: key)
            _ = try await history.add([Samples.point(5)], of: "lost-1")
            await history.close()
            let path = directory + "/history.sqlite"
            if key == nil {
                try Self.damagePlainName(path)
            } else {
                try Databases.change(path, "UPDATE device SET contents = x'00' WHERE id = 1")
            }
            try Self.damageNewest(path)
            history = try await TrackHistory.open(directory: directory, key: key)
            #expect(try await history.add([Samples.point(100_000)], of: "lost-1").added == 1)
            // In plain, the index of the names has it, too.
            let name = key == nil ? Samples.device : "lost-1-2"
            #expect(Set(try await history.devices().map(\.id)) == ["lost-1", name])
            #expect(
                try await history.points(of: name, during: Pages.whole, limit: .max).count > all.count * 9 / 10)
            #expect(history.health.damagedTables.contains("device"))
            // Its sender is known by the damaged name.
            let found = try await history.points(of: Samples.device, during: Pages.whole, limit: .max).count
            #expect(found > 0)
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `A second rewrite keeps the copy of the first, and a removal takes both`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Pages.fill(directory, key)
            let path = directory + "/history.sqlite"
            var copies: [String: Data] = [:]
            for (number, name) in ["history.sqlite.damaged", "history.sqlite.damaged.2"].enumerated() {
                try Self.damageNewest(path)
                copies[name] = try Data(contentsOf: URL(fileURLWithPath: path))
                let history = try await TrackHistory.open(directory: directory, key: key)
                let new = (0..<500).map { Samples.point(Double((number + 1) * 100_000 + $0)) }
                #expect(try await history.add(new, of: Samples.device).added == 500)
                #expect(history.health.damagedCopies.count == number + 1)
                await history.close()
            }
            for (name, data) in copies {
                // SQLite changes counters on the first page.
                let kept = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))
                #expect(kept.dropFirst(4_096) == data.dropFirst(4_096))
            }
            let history = try await TrackHistory.open(directory: directory, key: key)
            let item = try #require(history.health.statusItems.first { $0.name == "copy" })
            #expect(copies.keys.allSatisfy { item.text?.contains(directory + "/" + $0) == true })
            _ = try await history.remove(Samples.device, during: Samples.seconds(200_000..<200_010))
            #expect(history.health.damagedCopies.isEmpty)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory).allSatisfy { !$0.contains("damaged") })
            await history.close()
        }
    }

    @Test func `When no more copies can be kept nothing is overwritten, and what comes is refused`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Pages.fill(directory, nil)
            let path = directory + "/history.sqlite"
            let names = ["", ".2", ".3", ".4"].map { path + ".damaged" + $0 }
            for name in names {
                let isMade = FileManager.default.createFile(
                    atPath: name, contents: Data(name.utf8), attributes: [.posixPermissions: 0o600])
                #expect(isMade)
            }
            try Self.damageNewest(path)
            let history = try await TrackHistory.open(directory: directory)
            let sound = try await Pages.points(history)
            await #expect { try await history.add([Samples.point(100_000)], of: Samples.device) } throws: {
                ($0 as? StoreError)?.code == .damaged
            }
            #expect(try await Pages.points(history) == sound)
            for name in names { #expect(try Data(contentsOf: URL(fileURLWithPath: name)) == Data(name.utf8)) }
            // The way out: one is moved away.
            try FileManager.default.moveItem(atPath: names[1], toPath: directory + "/moved")
            #expect(try await history.add([Samples.point(100_000)], of: Samples.device).added == 1)
            #expect(history.health.damagedCopies == names)
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `A kill after any step of a rewrite costs neither points nor the damaged copy`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { parent in
            let directory = parent + "/history"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            _ = try await Pages.fill(directory, key)
            let path = directory + "/history.sqlite"
            try Self.damageNewest(path)
            let damaged = try Data(contentsOf: URL(fileURLWithPath: path))
            let snapshots = Snapshots()
            var environment = HistoryEnvironment()
            environment.didTake = { step throws(StoreError) in
                if case .rewrote = step { return }  // until then, the old database is the history
                try snapshots.take(of: directory, to: parent)
            }
            var history = try await TrackHistory.open(directory: directory, key: key, environment: environment)
            let sound = try await Pages.points(history)
            #expect(try await history.add([Samples.point(100_000)], of: Samples.device).added == 1)
            await history.close()
            #expect(snapshots.all.count >= 3)
            for snapshot in snapshots.all {
                history = try await TrackHistory.open(directory: snapshot, key: key)
                #expect(try await Pages.points(history) == sound)
                #expect(history.health.damagedCopies == [snapshot + "/history.sqlite.damaged"])
                let kept = try Data(contentsOf: URL(fileURLWithPath: snapshot + "/history.sqlite.damaged"))
                #expect(kept.dropFirst(4_096) == damaged.dropFirst(4_096))
                #expect(try await history.add([Samples.point(100_000)], of: Samples.device).added == 1)
                await history.close()
            }
        }
    }

    @Test func `What was refused stays in the status after a good addition`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            _ = try await Pages.fill(directory, nil)
            try Self.damageNewest(directory + "/history.sqlite")
            let room = SystemMutex(Int64(0))
            var environment = HistoryEnvironment()
            environment.roomForSalvage = { _ in room.withLock { $0 } }
            let history = try await TrackHistory.open(directory: directory, key: nil, environment: environment)
            for second in 0..<2 {
                await #expect(throws: StoreError.self) {
                    try await history.add([Samples.point(Double(100_000 + second))], of: Samples.device)
                }
            }
            room.withLock { $0 = .max }
            #expect(try await history.add([Samples.point(100_000)], of: Samples.device).added == 1)
            let refusals = try #require(history.health.refusals)
            #expect(refusals.count == 2 && refusals.last.code == .damaged)
            let items = history.health.statusItems
            #expect(items.map(\.name) == ["refused", "damaged", "copy"])
            #expect(items.first?.value == .count(2))
            #expect(items.first?.text?.contains(refusals.time.rfc3339(.seconds)) == true)
            await history.close()
        }
    }
}
