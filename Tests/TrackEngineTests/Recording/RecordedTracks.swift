import Foundation
import TestSupport
import TrackEngine
import TrackEngineFiles

/// Recorded rides and drives beside the checkout, where they are present.
enum RecordedTracks {
    static let names = ["sbn-v13", "bike", "tcxtest", "garmin-edge-800-output", "cerknicko-jezero", "korita-zbevnica"]

    /// The fixes of a file in order of time, without those that the gates would refuse; `nil` where it is missing.
    static func fixes(_ name: String) throws -> [Fix]? {
        guard let path = TestEnvironment.corpus("gpx/\(name).gpx") else { return nil }
        let file = try ReplayFile(path: path, options: ReplayOptions())
        var fixes: [Fix] = []
        while let chunk = try file.next() {
            for fix in chunk.fixes where fixes.last.map({ $0.time < fix.time }) ?? true { fixes.append(fix) }
        }
        return fixes
    }

    /// Fixes of receivers that stood still for minutes: a recorded one where it is present, and a wandering place of our own.
    static func standing() throws -> [[Fix]] {
        try [wandering] + (TestEnvironment.corpus("gpsd/nmea-rtk.log").map { try [all($0)] } ?? [])
    }

    private static func all(_ path: String) throws -> [Fix] {
        let file = try ReplayFile(path: path, options: ReplayOptions())
        var fixes: [Fix] = []
        while let chunk = try file.next() { fixes += chunk.fixes }
        return fixes
    }

    /// Twenty minutes within 6 m: 3 m around, once in seven minutes, and 3 m around that in 50 s.
    private static let wandering: [Fix] = (0..<1200).map { second in
        let (slow, fast) = (Double(second) / 420 * 2 * .pi, Double(second) / 50 * 2 * .pi)
        let (east, north) = (3 * cos(slow) + 3 * cos(fast), 3 * sin(slow) + 3 * sin(fast))
        return Fix(
            time: Road.start.advanced(by: .seconds(second)),
            coordinate: Coordinate(latitude: 48 + north / 111_200, longitude: 11 + east / 74_500),
            horizontalAccuracy: 5, speed: 0.1)
    }
}
