import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// gpsd, agent, and a journey through them; where the agent's records go is the subclasses' affair.
class Vehicle {
    let gpsd: GPSDaemon
    let agent: AgentUnderTest
    private(set) var journey = Journey(start: .now())

    init(gpsd: GPSDaemon, agent: AgentUnderTest) {
        self.gpsd = gpsd
        self.agent = agent
    }

    func startAndConnect() async throws {
        try agent.start()
        try await waitUntilConnected()
    }

    func waitUntilConnected() async throws {
        await eventually("gpsd greets the agent") { await agent.isConnected() }
    }

    /// Feeds fixes at a pace at which gpsd tells one epoch from the next.
    func drive(steps: Int) async throws {
        for _ in 0..<steps {
            journey.feedNext(to: gpsd)
            try await Task.sleep(for: .milliseconds(50))  // the receiver's pace, no wait for a result
        }
    }

    /// Kills the agent at random moments and starts it again; answers the ids of all that it vouched for meanwhile.
    ///
    /// - Parameter longest: the most steps before the agent is asked what it has.
    func driveThroughKills(
        _ kills: Int, longest: Int, _ chance: inout SplitMix, disturb: (Int) async throws -> Void
    ) async throws -> Set<String> {
        var vouched: Set<String> = []
        for kill in 1...kills {
            try await disturb(kill)
            // Most lives may be too short to deliver anything on a machine that is busy; these are not.
            if kill.isMultiple(of: 3) { try await waitUntilConnected() }
            try await drive(steps: Int.random(in: 1...longest, using: &chance))
            // While it starts, the agent vouches for nothing new.
            if let stored = try? await agent.stored() { vouched.formUnion(stored.map(\.id)) }
            try await drive(steps: Int.random(in: 0...10, using: &chance))
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...40, using: &chance)))  // a random moment
            agent.kill()
            try agent.start()
        }
        return vouched
    }

    /// Waits until gpsd's last fix is stored and the sink has taken everything.
    func waitUntilDelivered() async throws {
        // An epoch is known to be over when nothing more of it comes: what is stored stands still then, for longer than
        // gpsd's source may wait for the rest of an epoch.
        var last = -1
        var quiet = 0
        await eventually("the last fix is stored") {
            // The agent may be starting: then nothing is known yet.
            let count = (try? await agent.stored().count) ?? -1
            quiet = count == last ? quiet + 1 : 0
            last = count
            return count >= 0 && quiet > 60
        }
        await eventually("everything is delivered") {
            guard let status = try? await agent.ask(.sync) else { return false }  // as above
            return status["sinks"]?.array?.first?["queued"]?.number == 0
        }
    }
}
