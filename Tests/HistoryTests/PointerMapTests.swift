import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// Sound histories, of more pages than one page of a pointer map has entries for (SQLite file format, section 1.8).
@Suite("Histories with pages of pointer maps", .timeLimit(.minutes(15)))
struct PointerMapTests {
    private static let count = 1_000
    /// The page of the second part of the map.
    private static let secondPart = 2 + 4_096 / 5 + 1

    /// A history whose points fill more than a part of the map, and its number of points.
    private static func make(_ directory: String) async throws -> Int {
        let history = try await TrackHistory.open(directory: directory)
        _ = try await history.add(
            (0..<count).map { Samples.point(Double($0), north: Double($0)) },
            events: (0..<100).map { Samples.visit($0 * 8, to: $0 * 8 + 5) }, of: Samples.device)
        await history.close()
        let db = try Database(path: directory + "/history.sqlite")
        defer { try? db.close() }  // every transaction has ended
        let columns = """
            latitude, longitude, altitude, accuracy, altitude_accuracy, speed, speed_accuracy, course, course_accuracy,
            satellites, battery, state, source, sender_id
            """
        while try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0 < secondPart + 50 {
            try db.execute(
                sql: """
                    INSERT INTO point SELECT device, time + (SELECT max(time) - min(time) + 1000 FROM point), \(columns)
                    FROM point
                    """)
        }
        return try #require(try Int.fetchOne(db, sql: "SELECT count(*) FROM point"))
    }

    /// Without a map, any page may be in its place.
    @Test(arguments: [0, 1, 2])
    func `a sound history has no damage, whether SQLite keeps a map of its pages or not`(_ mode: Int) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/history.sqlite"
            let count = try await Self.make(directory)
            try Databases.change(path, "PRAGMA auto_vacuum = \(mode); VACUUM")
            #expect(try Databases.number(path, "PRAGMA auto_vacuum") == mode)
            #expect(try Databases.number(path, "PRAGMA page_count") ?? 0 > Self.secondPart)
            for round in 1...2 {
                let history = try await TrackHistory.open(directory: directory)
                #expect(history.health.damagedTables.isEmpty && history.health.statusItems.isEmpty)
                let added = try await history.add([Samples.point(Double(-round))], of: Samples.device)
                #expect(added.added == 1)
                let points = try await history.points(
                    of: Samples.device, during: Samples.seconds(-5..<500), limit: 1_000)
                #expect(points.count == 500 + round)
                #expect(history.health.statusItems.isEmpty)
                await history.close()
                #expect(try Databases.number(path, "SELECT count(*) FROM point") == count + round)
            }
        }
    }
}
