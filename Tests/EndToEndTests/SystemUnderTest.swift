import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// gpsd, agent and receiver, and a journey through them.
final class SystemUnderTest: Vehicle {
    /// A record as the receiver has it on disk, when it first came.
    struct Arrival: Hashable {
        let id: String
        let time: Timestamp
        let latitude: Double
    }

    let receiver: ReceiverProcess

    init(gpsd: GPSDaemon, receiver: ReceiverProcess, agent: AgentUnderTest) {
        self.receiver = receiver
        super.init(gpsd: gpsd, agent: agent)
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
        try await waitUntilDelivered()
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
