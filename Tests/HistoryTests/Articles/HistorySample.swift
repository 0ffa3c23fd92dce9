import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// The sample of the library's page.
@Suite struct HistorySample {
    @Test func `A program keeps points and asks for a year's path`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let fix = Fix(time: .now(), coordinate: Coordinate(latitude: 53.55, longitude: 9.99))

            let history = try await TrackHistory.open(directory: directory)
            let added = try await history.add([HistoryPoint(fix: fix)], of: "van-7")
            print("\(added.added) new, \(added.repeated) known")

            let year = Timestamp.now().advanced(by: .seconds(-365 * 86_400))..<Timestamp.now()
            let lines = try await history.path(of: "van-7", during: year, within: 50)
            if let summary = try await history.summary(of: "van-7", during: year) {
                print("\(lines.count) lines, \(summary.distance / 1000) km, \(summary.movingTime) on the way")
            }
            await history.close()
            #expect(added.added == 1 && lines.count == 1)
        }
    }
}
