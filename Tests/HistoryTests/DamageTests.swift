import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

@Suite("A history's database changed from outside", .timeLimit(.minutes(30)))
struct DamageTests {
    @Test func `Another program's database is left as it is`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/history.sqlite"
            try Databases.change(path, "CREATE TABLE bookmark (title TEXT); INSERT INTO bookmark VALUES ('ours')")
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            await #expect { try await TrackHistory.open(directory: directory) } throws: {
                ($0 as? StoreError)?.code == .foreignDatabase
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test func `A chunk that cannot be read is made anew`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let whole = Samples.seconds(0..<10_000)
            var history = try await TrackHistory.open(directory: directory)
            _ = try await history.add(
                (0..<500).map { Samples.point(Double($0), north: Double($0)) }, of: Samples.device)
            let path = try await history.path(of: Samples.device, during: whole, within: 100)
            let summary = try await history.summary(of: Samples.device, during: whole)
            for contents in ["x''", "randomblob(40)", "substr(contents, 1, 30)", "CAST(contents || x'00' AS BLOB)"] {
                await history.close()
                try Databases.change(directory + "/history.sqlite", "UPDATE chunk SET contents = \(contents)")
                history = try await TrackHistory.open(directory: directory)
                #expect(try await history.path(of: Samples.device, during: whole, within: 100) == path)
                #expect(try await history.summary(of: Samples.device, during: whole) == summary)
            }
            await history.close()
        }
    }

    @Test func `A row with a place that cannot be is left out, and ends nothing`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var history = try await TrackHistory.open(directory: directory)
            _ = try await history.add([0.0, 1, 2].map { Samples.point($0) }, of: Samples.device)
            await history.close()
            try Databases.change(
                directory + "/history.sqlite",
                "UPDATE point SET latitude = 9e18, speed = -1, satellites = 1000000, state = -1 WHERE time % 3000 = 1000"
            )
            history = try await TrackHistory.open(directory: directory)
            let whole = Samples.seconds(0..<10)
            #expect(try await history.points(of: Samples.device, during: whole, limit: 9).count == 2)
            #expect(try await history.path(of: Samples.device, during: whole, within: 1).flatMap(\.self).count == 2)
            await history.close()
        }
    }

    @Test func `Hours of damaged rows keep no question waiting for ever`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var history = try await TrackHistory.open(directory: directory)
            let points = (0..<100).map { Samples.point(Double($0) * 900) }
            _ = try await history.add(points, of: Samples.device)
            await history.close()
            try Databases.change(
                directory + "/history.sqlite",
                "UPDATE point SET latitude = 9e18 WHERE time < (SELECT max(time) FROM point)")
            history = try await TrackHistory.open(directory: directory)
            let whole = Samples.seconds(0..<1_000_000)
            #expect(try await history.path(of: Samples.device, during: whole, within: 5).count == 1)
            #expect(try await history.summary(of: Samples.device, during: whole)?.count == 1)
            #expect(try await history.remove(Samples.device, during: whole) == 100)
            await history.close()
        }
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775807 - 1"])
    func `Numbers that nobody has written end nothing`(_ number: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var history = try await TrackHistory.open(directory: directory)
            _ = try await history.add((0..<3).map { Samples.point(Double($0), speed: 3) }, of: Samples.device)
            await history.close()
            let columns = ["altitude", "accuracy", "speed", "course", "satellites", "battery", "state"]
            try Databases.change(
                directory + "/history.sqlite",
                "UPDATE point SET " + columns.map { "\($0) = \(number)" }.joined(separator: ", "))
            history = try await TrackHistory.open(directory: directory)
            for _ in 0..<2 {
                let whole = Samples.seconds(0..<10_000)
                #expect(try await history.path(of: Samples.device, during: whole, within: 1).count == 1)
                #expect(try await history.summary(of: Samples.device, during: whole)?.count == 3)
                #expect(try await history.points(of: Samples.device, during: whole, limit: 9).count == 3)
                #expect(try await history.devices().count == 1)
            }
            await history.close()
        }
    }

    @Test func `A device whose newest row is damaged is still there, with the newest sound one`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var history = try await TrackHistory.open(directory: directory)
            _ = try await history.add((0..<3).map { Samples.point(Double($0)) }, of: Samples.device)
            await history.close()
            try Databases.change(
                directory + "/history.sqlite",
                "UPDATE point SET latitude = 9e18 WHERE time = (SELECT max(time) FROM point)")
            history = try await TrackHistory.open(directory: directory)
            #expect(try await history.devices().map(\.newest.fix.time) == [Samples.point(1).fix.time])
            await history.close()
        }
    }

    @Test func `Nothing is taken by a history whose files are gone`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let history = try await TrackHistory.open(directory: directory + "/history")
            _ = try await history.add([Samples.point(0)], of: Samples.device)
            try FileManager.default.removeItem(atPath: directory + "/history")
            await #expect { try await history.add([Samples.point(1)], of: Samples.device) } throws: {
                ($0 as? StoreError)?.code == .removed
            }
            await history.close()
        }
    }
}
