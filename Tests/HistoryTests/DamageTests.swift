import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

@Suite("A history's database changed from outside")
struct DamageTests {
    @Test func `Another program's database is left as it is`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/history.sqlite"
            try Databases.change(path, "CREATE TABLE bookmark (title TEXT); INSERT INTO bookmark VALUES ('ours')")
            await #expect { try await TrackHistory.open(directory: directory) } throws: {
                ($0 as? StoreError)?.code == .foreignDatabase
            }
            try Databases.change(path, "DELETE FROM bookmark WHERE title = 'ours'")
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
}
