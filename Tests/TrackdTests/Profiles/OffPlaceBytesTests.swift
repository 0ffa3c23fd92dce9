import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// What the files of an agent hold of a place where tracking is off.
@Suite(.timeLimit(.minutes(30))) struct OffPlaceBytesTests {
    private static func yaml(_ folder: String, _ track: PipedTrack, _ tracking: String) -> String {
        """
        device: {id: van-7}
        \(track.sources)
        store: {path: \(folder)/state, maxDaysToPersist: 0}
        tracking: {distanceFilter: 1, disableSpeedMultiplier: true}
        events:
          visits: true
          trips: true
          places:
            - {name: Depot, latitude: \(PipedTrack.latitude(2000)), longitude: 10.0, radius: 300\(tracking)}
        """
    }

    /// How many metres north those latitudes lie that stand in a file of the agent's, as a double.
    private static func found(_ metres: [Double], in folder: String) throws -> [Double] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).compactMap {
            FileManager.default.contents(atPath: "\(folder)/\($0)")
        }
        return metres.filter { metres in
            let bytes = withUnsafeBytes(of: PipedTrack.latitude(metres).bitPattern.littleEndian) { Data($0) }
            return files.contains { $0.range(of: bytes) != nil }
        }
    }

    @Test(arguments: ["", ", tracking: off"])
    func `no position of there is in any file, over a kill there as well`(_ tracking: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let track = try PipedTrack(in: folder)
            // The middle is in each event of the place.
            let inside = [1_800.0, 1_900, 1_950, 2_000, 2_100, 2_200]
            let outside = [0.0, 1_000, 3_000]
            let first = try RunningAgent(folder, Self.yaml(folder, track, tracking))
            try await track.open()
            for (second, metres) in [(0, 0.0), (10, 1_000), (20, 1_800), (30, 1_900), (40, 1_950)] {
                track.feed(Int64(second), metres: metres)
            }
            await eventually(
                "five fixes are judged, it printed: \(first.child.text)", from: first.child
            ) {
                let text = (try? await first.trackd("status", "--json"))?.text ?? ""
                return (try? JSONValue.parse(text.utf8))?["sources"]?.array?.first?["fixes"]?.number == 5
            }
            await first.kill()
            track.close()
            for (second, metres) in [(50, 1_950.0), (60, 2_100), (70, 2_200), (80, 3_000), (90, 4_000)] {
                track.feed(Int64(second), metres: metres)
            }
            // In a file it goes on after the last record.
            try track.becomeFile()
            let second = try RunningAgent(folder, Self.yaml(folder, track, tracking))
            await second.reachesEnd()
            let last = try await second.stored("location").last?["coords"]?["latitude"]?.number
            #expect(last.map { abs($0 - PipedTrack.latitude(4_000)) < 1e-6 } == true, "it has left")
            await second.finish()
            #expect(try Self.found(outside, in: folder + "/state") == outside)
            let hidden = try Self.found(inside, in: folder + "/state")
            #expect(hidden == (tracking.isEmpty ? inside : []), "\(hidden)")
        }
    }
}
