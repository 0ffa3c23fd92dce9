import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// Bits of a stored time that are flipped, as by a bad memory or disk.
@Suite("A history with a damaged time", .timeLimit(.minutes(15)))
struct DamagedTimeTests {
    private static let whole = Samples.seconds(-1_000_000..<100_000_000)
    private static let count = 300

    private static func milliseconds(_ row: Int) -> Int64 { (Samples.start.secondsSince1970 + Int64(row)) * 1_000 }

    /// Flips bits in the time of a row: a number of six bytes, which no other row has.
    private static func flip(_ mask: Int64, ofRow row: Int, _ path: String) throws {
        func bytes(_ time: Int64) -> Data { withUnsafeBytes(of: time.bigEndian) { Data($0.dropFirst(2)) } }
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        let range = try #require(data.range(of: bytes(milliseconds(row))))
        data.replaceSubrange(range, with: bytes(milliseconds(row) ^ mask))
        try data.write(to: url)
    }

    /// A history of a point each second, closed.
    private static func make(_ directory: String, _ key: StoreKey?) async throws {
        let history = try await TrackHistory.open(directory: directory, key: key)
        _ = try await history.add((0..<count).map { Samples.point(Double($0), north: Double($0)) }, of: Samples.device)
        await history.close()
    }

    private static func seconds(_ points: [HistoryPoint]) -> [Int] {
        points.map { Int($0.fix.time.secondsSince1970 - Samples.start.secondsSince1970) }
    }

    /// All points, by pages.
    private static func pages(_ history: TrackHistory, _ times: Range<Timestamp>) async throws -> [HistoryPoint] {
        var found: [HistoryPoint] = []
        var position: HistoryPointPosition?
        repeat {
            let page = try await history.points(of: Samples.device, during: times, after: position, limit: 70)
            found += page.points
            position = page.next
        } while position != nil
        return found
    }

    /// Bits 47 and 46 make a time that no point can have, 41 and 40 one that is years later and earlier, 20 minutes.
    private static let masks: [Int64] = [47, 46, 41, 40, 20].map { 1 << $0 }

    /// Runs with each damaged time in rows at the ends and on the page above the leaves.
    private static func forEachDamage(
        _ key: StoreKey?, _ body: (_ directory: String, _ row: Int) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { parent in
            let sound = parent + "/sound"
            try FileManager.default.createDirectory(atPath: sound, withIntermediateDirectories: false)
            try await make(sound, key)
            let inner = try #require(try DamagedPageTests.leaves("point", sound + "/history.sqlite").first).rows
            for mask in masks {
                for row in [1, inner, count - 2] {
                    let directory = "\(parent)/\(mask)-\(row)"
                    try FileManager.default.copyItem(atPath: sound, toPath: directory)
                    try flip(mask, ofRow: row, directory + "/history.sqlite")
                    try await body(directory, row)
                }
            }
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `One damaged time costs one point, and the status tells of it`(_ key: StoreKey?) async throws {
        try await Self.forEachDamage(key) { directory, row in
            let sound = (0..<Self.count).filter { $0 != row }
            let history = try await TrackHistory.open(directory: directory, key: key)
            for range in [0..<1_000, 1..<299, 100..<200, row - 1..<row + 2] {
                let expected = sound.filter(range.contains)
                let times = Samples.seconds(range)
                #expect(Self.seconds(try await Self.pages(history, times)) == expected, "\(directory) \(range)")
                #expect(
                    Self.seconds(try await history.points(of: Samples.device, during: times, limit: .max)) == expected)
            }
            #expect(Self.seconds(try await Self.pages(history, Self.whole)) == sound)
            let path = try await history.path(of: Samples.device, during: Self.whole, within: 0.1)
            #expect(path.flatMap(\.self).count == sound.count)
            #expect(try await history.summary(of: Samples.device, during: Self.whole)?.count == sound.count)
            #expect(Self.seconds(try await history.devices().map(\.newest)) == [Self.count - 1])
            #expect(history.health.damage.stretches == 1, "\(directory)")
            #expect(history.health.statusItems.map(\.name) == ["damaged"])
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `All points are removed whatever one of their times is, also without room`(_ key: StoreKey?) async throws {
        try await Self.forEachDamage(key) { directory, row in
            var environment = HistoryEnvironment()
            environment.roomForSalvage = { _ in row == 1 ? .max : 0 }
            let history = try await TrackHistory.open(directory: directory, key: key, environment: environment)
            let removed = try await history.remove(Samples.device, during: Samples.seconds(0..<1_000))
            #expect(removed == Self.count - 1, "\(directory)")
            #expect(try await history.devices().isEmpty)
            await history.close()
            #expect(try Databases.number(directory + "/history.sqlite", "SELECT count(*) FROM point") == 0)
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `Points that come after a damaged time was seen are kept, and found`(_ key: StoreKey?) async throws {
        try await Self.forEachDamage(key) { directory, row in
            guard row == Self.count - 2 else { return }
            let history = try await TrackHistory.open(directory: directory, key: key)
            _ = try await Self.pages(history, Self.whole)
            let new = (1_000..<1_010).map { Samples.point(Double($0)) }
            #expect(try await history.add(new, of: Samples.device).added == 10)
            let expected = (0..<Self.count).filter { $0 != row } + Array(1_000..<1_010)
            #expect(Self.seconds(try await Self.pages(history, Self.whole)) == expected)
            await history.close()
        }
    }
}
