import TestSupport
import TrackEngine
import TrackEngineReplay

/// Recorded rides and drives beside the checkout, where they are present.
enum RecordedTracks {
    static let names = ["sbn-v13", "bike", "tcxtest", "garmin-edge-800-output"]

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
}
