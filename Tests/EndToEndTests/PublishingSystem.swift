import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// gpsd, agent, broker and subscriber, and a journey through them.
final class PublishingSystem {
    /// A record as the subscriber has it on disk; equal if everything that tells about the record is.
    struct Arrival: Hashable {
        let id: String
        let sequence: Int
        let time: Timestamp
        let latitude: Double
    }

    /// The most records under way: twenty messages of one, or a delivery's in one message.
    static let window = 20

    let gpsd: GPSDaemon
    let broker: MosquittoBroker
    let subscriber: SubscriberProcess
    let agent: AgentUnderTest
    private(set) var journey = Journey(start: Timestamp.now())

    init(gpsd: GPSDaemon, broker: MosquittoBroker, subscriber: SubscriberProcess, agent: AgentUnderTest) {
        self.gpsd = gpsd
        self.broker = broker
        self.subscriber = subscriber
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

    /// What else goes wrong on the way, by the number of the agent's kill.
    ///
    /// The broker ends in an orderly way, so that it saves what it has acknowledged: mosquitto saves once a second, and
    /// what it forgets in a crash is no fault of who published it.
    func disturb(_ kill: Int) async throws {
        switch kill {
        case 3, 7:
            broker.stop()
            try await broker.restart()
        case 5: broker.freeze(true)
        case 6: broker.freeze(false)
        case 9: broker.stop()
        case 10: try await broker.restart()
        default: break
        }
    }

    /// Waits until gpsd's last fix is stored and nothing waits for the broker.
    func waitUntilDelivered() async throws {
        // An epoch is known to be over when nothing more of it comes: what is stored stands still then.
        var last = -1
        var quiet = 0
        await eventually("the last fix is stored", within: .seconds(30)) {
            // The agent may be starting: then nothing is known yet.
            let count = (try? await agent.stored().count) ?? -1
            quiet = count == last ? quiet + 1 : 0
            last = count
            return count >= 0 && quiet > 20
        }
        await eventually("everything is delivered", within: .seconds(60)) {
            guard let status = try? await agent.ask(.sync) else { return false }  // as above
            return status["sinks"]?.array?.first?["queued"]?.number == 0
        }
    }

    /// Waits until gpsd's last fix is stored and everything has been delivered; answers what arrived first, in order.
    func settle() async throws -> [Arrival] {
        try await waitUntilDelivered()
        let stored = Set(try await agent.stored().map(\.id))
        try await eventually("the subscriber has everything", within: .seconds(60)) {
            try stored.isSubset(of: records().map(\.id))
        }
        var seen: Set<String> = []
        return try records().filter { seen.insert($0.id).inserted }
    }

    /// Every record that came, in order, repetitions included.
    func records() throws -> [Arrival] {
        try subscriber.messages().filter { $0.topic.hasPrefix("fleet/van-7/record") }.flatMap { message in
            let json = try JSONValue.parse(message.payload.utf8)
            return try (json["records"]?.array ?? [json]).map(Self.arrival)
        }
    }

    /// Whether each repetition is of a record that was among the last twenty when the connection ended.
    ///
    /// mosquitto itself may repeat to the subscriber what that had not acknowledged, which is bounded in the same way.
    static func isWithinWindow(_ records: [Arrival]) -> Bool {
        var newest = 0
        return records.allSatisfy { record in
            newest = max(newest, record.sequence)
            return record.sequence > newest - 2 * window
        }
    }

    private static func arrival(_ json: JSONValue) throws -> Arrival {
        guard let id = json["id"]?.string, let sequence = json["sequence"]?.number,
            let time = json["time"]?.string.flatMap(Timestamp.init(rfc3339:)),
            let latitude = json["latitude"]?.number
        else { throw ReceiverError(description: "a record without id, sequence, time or place") }
        return Arrival(id: id, sequence: Int(sequence), time: time, latitude: latitude)
    }
}
