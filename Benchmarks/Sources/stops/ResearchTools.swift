import Foundation
import TrackEngine
import TrackEngineTune

/// trackintel and movingpandas, run by `StopTools/run` over the same fixes as CSV files.
struct ResearchTools {
    /// Why there are none.
    private(set) var problem: String?
    private var stops: [String: [TimeSpan]] = [:]

    init(_ tracks: [(name: String, fixes: [DetectorFix])], durations: [Double], script: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "track-engine-stops-\(getpid())")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }  // a temporary file left over harms nobody
            for (index, track) in tracks.enumerated() {
                let lines = track.fixes.map {
                    "\($0.fix.time.seconds),\($0.fix.coordinate.latitude),\($0.fix.coordinate.longitude)"
                }
                let text = (["time,latitude,longitude"] + lines).joined(separator: "\n") + "\n"
                try text.write(to: folder.appending(path: "\(index).csv"), atomically: true, encoding: .utf8)
            }
            let output = folder.appending(path: "stops.txt")
            _ = FileManager.default.createFile(atPath: output.path, contents: nil)
            let process = Process()
            process.executableURL = URL(filePath: script)
            process.arguments = [folder.path] + durations.map { String($0) }
            process.standardOutput = try FileHandle(forWritingTo: output)
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 { problem = "their script ended with \(process.terminationStatus)" }
            for line in try String(contentsOf: output, encoding: .utf8).split(separator: "\n") {
                let parts = line.split(separator: " ").map(String.init)
                guard parts.count == 5, let index = Int(parts[2]), let duration = Double(parts[1]),
                    tracks.indices.contains(index), let begin = Double(parts[3]), let end = Double(parts[4])
                else { continue }
                stops[Self.key(parts[0], tracks[index].name, duration), default: []].append(
                    TimeSpan(begin: begin, end: end))
            }
        } catch {
            problem = "\(error)"
        }
    }

    static let names = ["trackintel", "movingpandas"]

    func stops(_ tool: String, _ track: String, _ duration: Double) -> [TimeSpan] {
        stops[Self.key(tool, track, duration)] ?? []
    }

    private static func key(_ tool: String, _ track: String, _ duration: Double) -> String {
        "\(tool)/\(track)/\(Int(duration))"
    }
}
