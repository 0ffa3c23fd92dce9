import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// gpsd, agent and receiver, and a journey through them.
final class SystemUnderTest {
    /// A record as the receiver has it on disk, when it first came.
    struct Arrival: Hashable {
        let id: String
        let time: Timestamp
        let latitude: Double
    }

    let gpsd: GPSDaemon
    let receiver: ReceiverProcess
    let agent: AgentUnderTest
    private(set) var journey = Journey(start: Timestamp.now())

    init(gpsd: GPSDaemon, receiver: ReceiverProcess, agent: AgentUnderTest) {
        self.gpsd = gpsd
        self.receiver = receiver
        self.agent = agent
    }

    func startAndConnect() async throws {
        try agent.start()
        try await waitUntilConnected()
    }

    func waitUntilConnected() async throws {
        await eventually("gpsd greets the agent", within: .seconds(30)) { await agent.isConnected() }
    }

    /// Feeds fixes at a pace at which gpsd tells one epoch from the next.
    func drive(steps: Int) async throws {
        for _ in 0..<steps {
            journey.feedNext(to: gpsd)
            try await Task.sleep(for: .milliseconds(50))  // the receiver's pace, no wait for a result
        }
    }

    /// What else goes wrong on the way, by the number of the kill.
    func disturb(_ kill: Int) async throws {
        switch kill {
        case 3: try receiver.setInput("lost-reply,ok,lost-reply,ok")
        case 6: try await receiver.restart()
        case 9, 15: try await gpsd.restart()
        case 11: try receiver.setInput("status:503,lost-reply,status:500,reset,ok,lost-reply,ok")
        case 13: receiver.stop()
        case 16: try await receiver.restart()
        case 19: try receiver.setInput("truncated,garbage,lost-reply,ok")
        default: break
        }
    }

    /// Waits until gpsd's last fix is stored and everything has been delivered; answers what arrived, in order.
    func settle() async throws -> [Arrival] {
        // An epoch is known to be over when nothing more of it comes: what is stored stands still then.
        var last = -1
        var quiet = 0
        await eventually("the last fix is stored", within: .seconds(20)) {
            // The agent may be starting: then nothing is known yet.
            let count = (try? await agent.stored().count) ?? -1
            quiet = count == last ? quiet + 1 : 0
            last = count
            return count >= 0 && quiet > 20
        }
        await eventually("everything is delivered", within: .seconds(30)) {
            guard let status = try? await agent.ask(.sync) else { return false }  // as above
            return status["sinks"]?.array?.first?["queued"]?.number == 0
        }
        return try arrivals()
    }

    /// The first arrival of each id.
    private func arrivals() throws -> [Arrival] {
        var seen: Set<String> = []
        return try receiver.records().filter { seen.insert($0.id).inserted }.map { record in
            let json = try JSONValue.parse(record.json.utf8)
            guard let time = json["properties"]?["timestamp"]?.string.flatMap(Timestamp.init(rfc3339:)),
                let place = json["geometry"]?["coordinates"]?.array, place.count >= 2, let latitude = place[1].number
            else { throw ReceiverError(description: "a record without time or place") }
            return Arrival(id: record.id, time: time, latitude: latitude)
        }
    }
}
