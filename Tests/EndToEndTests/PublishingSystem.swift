import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// gpsd, agent, broker and subscriber, and a journey through them.
final class PublishingSystem: Vehicle {
    /// A record as the subscriber has it on disk; equal if everything that tells about the record is.
    struct Arrival: Hashable {
        let id: String
        let sequence: Int
        let time: Timestamp
        let latitude: Double
    }

    /// The most records under way: twenty messages of one, or a delivery's in one message.
    static let window = 20

    let broker: MosquittoBroker
    let subscriber: SubscriberProcess

    init(gpsd: GPSDaemon, broker: MosquittoBroker, subscriber: SubscriberProcess, agent: AgentUnderTest) {
        self.broker = broker
        self.subscriber = subscriber
        super.init(gpsd: gpsd, agent: agent)
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

    /// Waits until gpsd's last fix is stored and everything has been delivered; answers what arrived first, in order.
    func settle() async throws -> [Arrival] {
        try await waitUntilDelivered()
        let stored = Set(try await agent.stored().map(\.id))
        try await eventually("the subscriber has everything") {
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
