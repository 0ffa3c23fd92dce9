import Foundation
import TestSupport
import Testing
import TortureKit
import TrackEngine
import TrackEngineHistory
import TrackEngineTestKit

/// An agent that follows a device and is killed with SIGKILL while it keeps that device's places.
@Suite(.timeLimit(.minutes(30))) struct FollowingKillTests {
    private static let kills = 24
    private static let id = "FRIEND-1"

    /// The place that the device tells: of a second and a degree of its own for each number, far from the own track.
    private static func place(_ number: Int) -> (time: Timestamp, entry: String) {
        let seconds = 1_763_710_000 + number
        return (
            Timestamp(secondsSince1970: Int64(seconds)),
            #"{"Device":"\#(id)","Timestamp":"\#(seconds)","Longitude":-70,"Latitude":\#(-60 + number),"#
                + #""HorizontalAccuracy":5}"#
        )
    }

    private static func points(of device: DeviceID, in folder: String) async throws -> [HistoryPoint] {
        let history = try await TrackHistory.open(directory: folder + "/history")
        let whole = Timestamp(secondsSince1970: 0)..<Timestamp(secondsSince1970: 4_000_000_000)
        let points = try await history.points(of: device, during: whole, limit: .max)
        await history.close()
        return points
    }

    /// Killed at a change of the history's files, by its number from the start on.
    private static func runUntilKilled(at change: Int, _ folder: String, _ yaml: String, shim: String) async throws {
        let agent = try RunningAgent(
            folder, yaml,
            environment: [
                "LD_PRELOAD": shim, "TORTURE_DIR": folder + "/history", "TORTURE_FAULT": "kill:\(change):1",
            ])
        #expect(await agent.end() == -SIGKILL, "killed at change \(change), trackd printed: \(agent.child.text)")
    }

    @Test func `24 kills lose, repeat and mix up no place, and the own track holds none`() async throws {
        try await TortureBench.with(seed: 1, program: "") { bench in
            let folder = bench.scratch
            RunningAgent.keepPrivate(folder)
            let server = try SharingServer()
            let yaml = """
                device: {id: home}
                sources:
                  - {type: simulated, rate: 10}
                  - {type: miataru, url: "http://127.0.0.1:\(server.port.number)", follow: [{id: \(Self.id), name: Anna}]}
                tracking: {distanceFilter: 0}
                store: {path: \(folder)/state, keepSyncedDays: 1, maxDaysToPersist: 0}
                sinks: [{type: history, directory: \(folder)/history, syncThreshold: 1}]
                """
            var arrived = 0
            var killsBefore = 0
            for kill in 0..<Self.kills {
                server.state.withLock { $0.places[Self.id] = Self.place(arrived).entry }
                try await Self.runUntilKilled(at: 1 + kill * 5 % 23, folder, yaml, shim: bench.shim)
                let times = try await Self.points(of: "Anna", in: folder).map(\.fix.time)
                // The newest place may be there or not; those before it are, once and in order.
                #expect([arrived, arrived + 1].contains(times.count), "after kill \(kill)")
                #expect(times == times.indices.map { Self.place($0).time }, "after kill \(kill)")
                if times.count == arrived { killsBefore += 1 }
                arrived = times.count
            }
            #expect(killsBefore > 2 && arrived > 5, "kills came before and after a place was kept")
            let own = try await Self.points(of: "home", in: folder)
            #expect(
                own.count > Self.kills && own.allSatisfy { $0.source == "simulated" && $0.fix.coordinate.longitude > 0 }
            )
            let anna = try await Self.points(of: "Anna", in: folder)
            #expect(anna.allSatisfy { $0.source == "miataru" })
            let export = try ChildProcess(
                TestEnvironment.builtProduct("trackd"),
                ["export", "--format", "ndjson", "--config", folder + "/trackd.yaml"])
            #expect(await export.exit() == 0)
            let track = export.text.split(separator: "\n").compactMap { JSONValue(ifReadable: Array($0.utf8)) }
            #expect(
                track.count > Self.kills && track.allSatisfy { $0["source"]?.string == "simulated" },
                "\(export.text.prefix(300))")
            server.stop()
        }
    }
}
