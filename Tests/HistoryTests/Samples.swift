import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// Points and histories that several tests need.
enum Samples {
    static let device: DeviceID = "van-7"
    /// 2026-03-01T10:00:00Z.
    static let start = Timestamp(secondsSince1970: 1_772_359_200)

    /// What encrypted histories of tests are encrypted under.
    static let key = StoreKey(bytes: (0..<32).map { UInt8($0 * 7) })

    /// A history in a fresh directory, closed and removed afterwards: once in plain, and once encrypted.
    static func withHistory(_ body: (TrackHistory) async throws -> Void) async throws {
        for key in [nil, key] {
            try await TestEnvironment.withTemporaryDirectory { directory in
                let history = try await TrackHistory.open(directory: directory + "/history", key: key)
                #expect(try await history.isEncrypted == (key != nil))
                try await body(history)
                await history.close()
            }
        }
    }

    /// A point so many seconds after ``start``, so many metres north and east of 53.55, 9.99.
    static func point(
        _ seconds: Double, north: Double = 0, east: Double = 0, altitude: Double? = nil, speed: Double? = nil,
        senderID: SenderID? = nil
    ) -> HistoryPoint {
        let coordinate = Coordinate(
            latitude: 53.55 + north / 111_200, longitude: 9.99 + east / 66_100)
        let fix = Fix(
            time: start.advanced(by: .milliseconds(Int64(seconds * 1000))), coordinate: coordinate,
            altitude: altitude, speed: speed)
        return HistoryPoint(fix: fix, senderID: senderID)
    }

    /// From so many seconds after ``start`` to before so many others.
    static func seconds(_ range: Range<Int>) -> Range<Timestamp> {
        start.advanced(by: .seconds(range.lowerBound))..<start.advanced(by: .seconds(range.upperBound))
    }

    /// Hills of some minutes, a noise of a metre or two, and a tunnel now and then.
    private static func altitude(at seconds: Double) -> Double? {
        guard Int(seconds) % 97 > 8 else { return nil }
        return ((80 + 60 * sin(seconds / 400) + 2 * sin(seconds * 7)) * 100).rounded() / 100
    }

    /// A drive that turns by chance, with stops and gaps: a point each so many seconds, 15 m apart while it moves.
    static func drive(_ count: Int, every step: Double = 1, using random: inout SeededGenerator) -> [HistoryPoint] {
        var points: [HistoryPoint] = []
        var (seconds, north, east, course) = (0.0, 0.0, 0.0, 0.0)
        while points.count < count {
            let isMoving = Int.random(in: 0..<10, using: &random) > 2
            for _ in 0..<Int.random(in: 5...120, using: &random) {
                course += Double.random(in: -0.2...0.2, using: &random)
                if isMoving { (north, east) = (north + 15 * cos(course), east + 15 * sin(course)) }
                seconds += step
                points.append(
                    point(
                        seconds, north: north, east: east, altitude: altitude(at: seconds), speed: isMoving ? 15 : 0))
            }
            if Int.random(in: 0..<8, using: &random) == 0 {
                seconds += Double.random(in: 60...4000, using: &random).rounded()
            }
        }
        return Array(points.prefix(count))
    }
}

extension HistoryPoint {
    /// The point as a history keeps one that has no more than place, altitude and speed.
    var kept: HistoryPoint {
        let place = fix.coordinate
        let coordinate = Coordinate(
            latitude: (place.latitude * 1e7).rounded() / 1e7, longitude: (place.longitude * 1e7).rounded() / 1e7)
        var point = self
        point.fix = Fix(
            time: fix.time, coordinate: coordinate, altitude: fix.altitude.map { ($0 * 100).rounded() / 100 },
            speed: fix.speed.map { ($0 * 100).rounded() / 100 })
        return point
    }
}
