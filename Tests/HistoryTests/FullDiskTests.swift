import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// A history that has filled its disk, a small one in memory that only root can mount.
@Suite("A history on a full disk", .timeLimit(.minutes(15)))
struct FullDiskTests {
    private static let whole = Samples.seconds(-1_000_000..<100_000_000)

    /// Adds a thousand points at a time until one addition is refused; returns how many were answered.
    private static func fill(_ history: TrackHistory, from first: Int = 0) async throws -> Int {
        var count = 0
        while count < 1_000_000 {
            let points = (0..<1_000).map { Samples.point(Double(first + count + $0), north: Double($0)) }
            do throws(StoreError) { _ = try await history.add(points, of: Samples.device) } catch {
                #expect(error.code == .full)
                return count
            }
            count += 1_000
        }
        return count
    }

    private static func count(_ history: TrackHistory) async throws -> Int {
        try await history.points(of: Samples.device, during: whole, limit: .max).count
    }

    @Test(.enabled(if: TestEnvironment.canMount, "needs root, to mount a disk"), arguments: [nil, Samples.key])
    func `It says so, shows what it has, can be pruned and goes on, also after a start`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withDisk(megabytes: 8) { disk in
            var history = try await TrackHistory.open(directory: disk + "/history", key: key)
            #expect(!history.health.isFull)
            let kept = try await Self.fill(history)
            #expect(kept > 5_000)
            #expect(history.health.isFull)
            #expect(history.health.statusItems.map(\.name) == ["full", "refused"])
            // Somebody else takes the rest.
            let rest = FileManager.default.createFile(atPath: disk + "/rest", contents: Data(count: 1 << 24))
            #expect(!rest)
            #expect(try await Self.count(history) == kept)
            let hour = try await history.drawing(of: Samples.device, during: Samples.seconds(0..<3_600), zoom: 12)
            #expect(!hour.lines.isEmpty)
            await history.close()
            history = try await TrackHistory.open(directory: disk + "/history", key: key)
            #expect(try await Self.count(history) == kept)
            let removed = try await history.remove(Samples.device, during: Samples.seconds(-1..<kept * 3 / 4))
            #expect(removed == kept * 3 / 4)
            #expect(try await Self.count(history) == kept - removed)
            #expect(try await Self.fill(history, from: kept) > 1_000)
            await history.close()
        }
    }

    @Test(.enabled(if: TestEnvironment.canMount, "needs root, to mount a disk"))
    func `What can be made again makes room for what comes`() async throws {
        try await TestEnvironment.withDisk { disk in
            let history = try await TrackHistory.open(directory: disk + "/history")
            let first = 20_000
            for start in stride(from: 0, to: first, by: 1_000) {
                var random = SeededGenerator(seed: UInt64(start))
                let points = (0..<1_000).map { index in
                    Samples.point(
                        Double(start + index), north: .random(in: 0...9_999, using: &random),
                        east: .random(in: 0...9_999, using: &random))
                }
                _ = try await history.add(points, of: Samples.device)
            }
            _ = try await history.path(of: Samples.device, during: Self.whole, within: 1)
            let cache = try await history.cacheBytes()
            #expect(cache > 1 << 20)
            let more = try await Self.fill(history, from: first)
            #expect(try await history.cacheBytes() < cache / 4)
            #expect(try await Self.count(history) == first + more)
            await history.close()
        }
    }

    @Test(.enabled(if: TestEnvironment.canMount, "needs root, to mount a disk"))
    func `Damaged copies make room for points, and the status names that`() async throws {
        try await TestEnvironment.withDisk { disk in
            var history = try await TrackHistory.open(directory: disk + "/history")
            await history.close()
            let isMade = FileManager.default.createFile(
                atPath: disk + "/history/history.sqlite.damaged", contents: Data(count: 1 << 20),
                attributes: [.posixPermissions: 0o600])
            #expect(isMade)
            history = try await TrackHistory.open(directory: disk + "/history")
            #expect(history.health.damagedCopies.count == 1)
            _ = try await Self.fill(history)
            #expect(history.health.damagedCopies.isEmpty)
            #expect(history.health.statusItems.first { $0.name == "erased" }?.value == .count(1))
            await history.close()
        }
    }

    @Test(.enabled(if: TestEnvironment.canMount, "needs root, to mount a disk"), arguments: [nil, Samples.key])
    func `A small addition that has room does not end it for a large one`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withDisk { disk in
            let history = try await TrackHistory.open(directory: disk + "/history", key: key)
            _ = try await history.add([Samples.point(-1)], of: Samples.device)
            let rest = disk + "/rest"
            #expect(FileManager.default.createFile(atPath: rest, contents: Data(count: 9 << 20)))
            let many = (0..<25_000).map { Samples.point(Double($0), north: Double($0)) }
            await #expect { try await history.add(many, of: Samples.device) } throws: {
                ($0 as? StoreError)?.code == .full
            }
            #expect(try await history.add([Samples.point(-2)], of: Samples.device).added == 1)
            #expect(history.health.statusItems.map(\.name) == ["full", "refused"])
            try FileManager.default.removeItem(atPath: rest)
            #expect(history.health.statusItems.map(\.name) == ["refused"])
            await history.close()
        }
    }

    @Test(.enabled(if: TestEnvironment.canMount, "needs root, to mount a disk"), arguments: [nil, Samples.key])
    func `It is no longer full once a removal has made room, before anything comes`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withDisk(megabytes: 8) { disk in
            let history = try await TrackHistory.open(directory: disk + "/history", key: key)
            let kept = try await Self.fill(history)
            #expect(history.health.isFull)
            _ = try await history.remove(Samples.device, during: Samples.seconds(-1..<kept / 2))
            #expect(!history.health.isFull)
            #expect(history.health.statusItems.map(\.name) == ["refused"])
            await history.close()
        }
    }

    @Test(.enabled(if: TestEnvironment.canMount, "needs root, to mount a disk"), arguments: [nil, Samples.key])
    func `A retention prunes it`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withDisk(megabytes: 8) { disk in
            let history = try await TrackHistory.open(directory: disk + "/history", key: key)
            let kept = try await Self.fill(history)
            var retention = HistoryRetention()
            retention.maxBytes = try await history.bytes() / 2
            #expect(try await history.prune(retention) > kept / 3)
            #expect(try await history.bytes() <= retention.maxBytes)
            #expect(try await Self.fill(history, from: kept) > 1_000)
            await history.close()
        }
    }
}
