import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

@Suite("An encrypted history's database changed from outside", .timeLimit(.minutes(30)))
struct EncryptedDamageTests {
    private static let whole = Samples.seconds(0..<10_000)

    /// Fills a history with points a second apart, changes its database, and opens it again.
    private func withChanged(
        _ count: Int, _ sql: String, _ body: (TrackHistory) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var history = try await TrackHistory.open(directory: directory, key: Samples.key)
            for device in [Samples.device, "other"] {
                let east = device == "other" ? 900.0 : 0
                let points = (0..<count).map {
                    Samples.point(Double($0), north: Double($0), east: east, senderID: .text("\($0)"))
                }
                _ = try await history.add(points, of: device)
                _ = try await history.path(of: device, during: Self.whole, within: 100)
            }
            await history.close()
            try Databases.change(directory + "/history.sqlite", sql)
            history = try await TrackHistory.open(directory: directory, key: Samples.key)
            try await body(history)
            await history.close()
        }
    }

    @Test(arguments: ["x''", "randomblob(90)", "substr(contents, 1, 60)", "CAST(contents || x'00' AS BLOB)"])
    func `A point that is not what was sealed is left out, and ends nothing`(_ contents: String) async throws {
        try await withChanged(
            3, "UPDATE point SET contents = \(contents) WHERE device = 1 AND time % 3000 = 1000; DELETE FROM chunk"
        ) { history in
            let points = try await history.points(of: Samples.device, during: Self.whole, limit: 9)
            #expect(points.count == 2)
            #expect(
                try await history.path(of: Samples.device, during: Self.whole, within: 1).flatMap(\.self).count == 2)
            #expect(try await history.points(of: "other", during: Self.whole, limit: 9).count == 3)
        }
    }

    @Test(arguments: ["time = time + 500000", "device = 2", "tag = randomblob(16)", "tag = x'00'"])
    func `A point in another's place does not open`(_ change: String) async throws {
        try await withChanged(
            3, "DELETE FROM point WHERE device = 2; DELETE FROM chunk; UPDATE point SET \(change)"
        ) { history in
            for device in [Samples.device, "other"] {
                #expect(try await history.points(of: device, during: Self.whole, limit: 9).isEmpty)
                #expect(try await history.path(of: device, during: Self.whole, within: 1).isEmpty)
            }
            let devices = try await history.devices()
            #expect(devices.isEmpty)
        }
    }

    @Test(arguments: [
        "contents = x''", "contents = randomblob(80)", "contents = substr(contents, 1, 50)",
        "contents = (SELECT contents FROM chunk AS other WHERE other.device = 2 AND other.level = chunk.level)",
    ])
    func `A chunk that is not what was sealed for its place is made anew`(_ change: String) async throws {
        try await withChanged(500, "DELETE FROM point WHERE device = 2; UPDATE chunk SET \(change) WHERE device = 1") {
            history in
            let points = (0..<500).map { Samples.point(Double($0), north: Double($0)).kept }
            #expect(try await history.summary(of: Samples.device, during: Self.whole)?.count == points.count)
            let path = try await history.path(of: Samples.device, during: Self.whole, within: 100).flatMap(\.self)
            #expect(path.first?.coordinate == points.first?.fix.coordinate)
            #expect(path.last?.coordinate == points.last?.fix.coordinate)
        }
    }

    /// A blob becomes a text by one bit; the tag is the third column, the contents are the last. An export reads pages.
    @Test(arguments: [2, nil], [false, true])
    func `A point with a column of another type is left out, and counted`(_ column: Int?, _ isInPages: Bool)
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/history.sqlite"
            var history = try await TrackHistory.open(directory: directory, key: Samples.key)
            _ = try await history.add((0..<9).map { Samples.point(Double($0)) }, of: Samples.device)
            await history.close()
            let leaf = try #require(try DamagedPageTests.leaves("point", path).first)
            try DamagedPageTests.damage(column, ofRow: 4, on: leaf.page, path) { $0 ^ 1 }
            history = try await TrackHistory.open(directory: directory, key: Samples.key)
            for _ in 0..<2 {
                let found =
                    isInPages
                    ? try await history.points(of: Samples.device, during: Self.whole, after: nil, limit: 9).points
                    : try await history.points(of: Samples.device, during: Self.whole, limit: 9)
                #expect(found.count == 8)
            }
            let unopened = try await history.unopenedRows()
            #expect(unopened?.summary.count == 1)
            await history.close()
        }
    }

    @Test(arguments: ["x''", "randomblob(60)", "(SELECT contents FROM device WHERE id = 2)"])
    func `A name that does not open is told, also without a tag that leads to it`(_ contents: String) async throws {
        try await withChanged(3, "UPDATE device SET contents = \(contents), tag = randomblob(16) WHERE id = 1") {
            history in
            let devices = try await history.devices()
            #expect(devices.map(\.id) == ["other"])
            #expect(history.health.damagedTables == ["device"])
        }
    }

    @Test func `A name that does not open is no device, and the same name begins a new one`() async throws {
        try await withChanged(3, "UPDATE device SET contents = randomblob(60), tag = randomblob(16) WHERE id = 1") {
            history in
            let devices = try await history.devices()
            #expect(devices.map(\.id) == ["other"])
            #expect(try await history.add([Samples.point(1)], of: Samples.device).added == 1)
            #expect(Set(try await history.devices().map(\.id)) == ["other", Samples.device])
        }
    }
}
