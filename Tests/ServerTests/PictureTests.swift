import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// The picture with which the README opens. `make picture` takes it into the documentation.
@Suite(
    "The picture of the page", .enabled(if: Browser.isInstalled, "needs chromium and chromium-driver"),
    .enabled(if: TestEnvironment.isOptimised, "the page is the same in both builds"),
    .timeLimit(.minutes(30)))
struct PictureTests {
    /// A drive through a town of an hour and a half: streets of all kinds, with turns, slower before them.
    private static func drive(seed: UInt64, endingAt end: Timestamp) -> [HistoryPoint] {
        var random = SeededGenerator(seed: seed)
        var (latitude, longitude, course, speed) = (53.55, 9.98, 20.0, 8.0)
        var (rest, curve, limit) = (60, 0.4, 14.0)
        return (0..<5_400).map { second in
            if rest == 0 {
                course += [-90.0, -90, 90, 90, -35, 35, 12].randomElement(using: &random) ?? 0
                rest = Int.random(in: 15...140, using: &random)
                curve = Double.random(in: -0.9...0.9, using: &random)
                limit = [8, 11, 14, 14, 19, 25].randomElement(using: &random) ?? 14
            }
            rest -= 1
            course += curve
            speed = rest < 8 ? max(speed * 0.85, 3) : speed + min(max(limit - speed, -1), 0.7)
            // Towards the town's middle again, where it went too far.
            if abs(latitude - 53.57) > 0.05 || abs(longitude - 10) > 0.09 {
                course = atan2(10 - longitude, 53.57 - latitude) * 57.3
            }
            latitude += speed * cos(course / 57.3) / 111_200
            longitude += speed * sin(course / 57.3) / 66_100
            let time = end.advanced(by: .seconds(second - 5_400))
            return HistoryPoint(
                fix: Fix(
                    time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude), altitude: 20,
                    horizontalAccuracy: 4, speed: speed, course: (course + 720).truncatingRemainder(dividingBy: 360),
                    activity: .driving))
        }
    }

    @Test func `It shows a day's drive in its colours, and is small enough to be kept`() async throws {
        try await ServerBench.with(wallClock: .system) { bench in
            for day in 0..<6 where day != 2 {
                let end = Timestamp.now().advanced(by: .seconds(-600 - day * 86_400))
                _ = try await bench.history.add(
                    Array(Self.drive(seed: 5 + UInt64(day), endingAt: end).dropLast(day * 700)), of: "van-7")
            }
            let browser = try await Browser(width: 1200, height: 760)
            do {
                try await browser.open("http://127.0.0.1:\(bench.port)/?key=\(bench.key)#history")
                try await browser.waits(for: ##"document.querySelectorAll("#days tbody tr").length >= 5"##)
                try await browser.waits(for: #"!document.getElementById("player").hidden"#)
                _ = try await browser.value(
                    #"(t => { t.value = 620; t.dispatchEvent(new Event("input")); })(document.getElementById("time"))"#)
                let size = try await browser.photograph("page")
                #expect((10_000...200_000).contains(size), "\(size) bytes")
            } catch {
                await browser.close()
                throw error
            }
            await browser.close()
        }
    }
}
