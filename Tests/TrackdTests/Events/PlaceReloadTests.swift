import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// A configuration that is read again while places are added.
@Suite(.timeLimit(.minutes(30))) struct PlaceReloadTests {
    /// A configuration with so many places around the depot.
    private static func yaml(_ track: PipedTrack, _ count: Int) -> String {
        let places = (1...count).map {
            "    - {name: Configured \($0), latitude: \(PipedTrack.latitude(2000)), longitude: 10.0, radius: 200}\n"
        }
        return """
            device: {id: van-7}
            \(track.sources)
            tracking: {distanceFilter: 1, disableSpeedMultiplier: true}
            events:
              places:
            \(places.joined())
            """
    }

    /// How another place becomes known.
    enum Change: CaseIterable { case added, reloaded, restarted }

    @Test(arguments: Change.allCases)
    func `an arrival one fix after another place became known is told`(_ change: Change) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let track = try PipedTrack(in: folder)
            let yaml = Self.yaml(track, 1)
            let other = yaml + "    - {name: Far, latitude: 10, longitude: 20, radius: 200}\n"
            let first = try RunningAgent(folder, yaml)
            try await track.open()
            for (second, metres) in [(0, 0.0), (10, 1000), (20, 1700)] { track.feed(Int64(second), metres: metres) }
            await first.stores(3)
            switch change {
            case .added:
                let added = try await first.trackd("place", "add", "Far", "--at", "10,20")
                #expect(added.text == "Far is added\n")
            case .reloaded:
                try RunningAgent.write(other, folder)
                first.child.send(SIGHUP)
                await eventually("it is applied, it printed: \(first.child.text)") {
                    first.child.text.contains("configuration applied")
                }
            case .restarted:
                await first.kill()
                track.close()
            }
            track.feed(30, metres: 2000)
            if change == .restarted { try track.becomeFile() }
            let agent = change == .restarted ? try RunningAgent(folder, other) : first
            await eventually("it has arrived") { (try? await agent.transitions()) == ["enter Configured 1"] }
            await agent.finish()
        }
    }

    @Test func `a reload and an addition at one time both hold, and who is inside is not announced again`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let track = try PipedTrack(in: folder)
            let agent = try RunningAgent(folder, Self.yaml(track, 1))
            try await track.open()
            for (second, metres) in [(0, 0.0), (10, 1000), (20, 2000)] { track.feed(Int64(second), metres: metres) }
            await eventually("it is inside") { (try? await agent.transitions()) == ["enter Configured 1"] }
            for round in 1...4 {
                try RunningAgent.write(Self.yaml(track, round + 1), folder)
                agent.child.send(SIGHUP)
                let added = try await agent.trackd(
                    "place", "add", "Added \(round)", "--at", "\(PipedTrack.latitude(2000)),10.0", "--radius", "200")
                expectMessage(added.text, begin: "Added \(round)", as: "place \(round) is added")
                await eventually(
                    "reload \(round), it printed: \(agent.child.text)", from: agent.child
                ) {
                    agent.child.text.components(separatedBy: "configuration applied").count == round + 1
                }
                track.feed(20 + Int64(round) * 10, metres: 2000 + Double(round * 20))
                await agent.stores(3 + round)
            }
            let known = try await agent.trackd("places").text
            for name in (1...5).map({ "Configured \($0)" }) + (1...4).map({ "Added \($0)" }) {
                #expect(known.contains("\(name), circle of 200 m"), "\(known)")
            }
            #expect(try await agent.transitions() == ["enter Configured 1"])
            track.feed(70, metres: 3000)
            track.feed(80, metres: 4000)
            await eventually("it has left, all that it knows") {
                (try? await agent.transitions().count { $0.hasPrefix("leave") }) == 9
            }
            #expect(try await agent.transitions().count == 10)
            await agent.finish()
        }
    }
}
