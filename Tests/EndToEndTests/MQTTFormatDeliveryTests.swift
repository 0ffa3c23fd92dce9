import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// The promise of the engine in the formats of others, whose payloads have no room for all that a record says: what has
/// arrived is told by the record's id beside the payload.
@Suite(.serialized) struct MQTTFormatDeliveryTests {
    /// A message with a record.
    private struct Arrival {
        let id: String
        let latitude: Double
    }

    @Test(.timeLimit(.minutes(30)), arguments: [("owntracks", "lat"), ("homeassistant", "latitude")])
    func `three kills of the agent lose and invent nothing`(_ format: String, _ latitude: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let gpsd = try await GPSDaemon()
            let broker = try await MosquittoBroker(in: folder)
            let subscriber = try await SubscriberProcess(of: broker, log: folder + "/messages")
            let sink = """
                {type: mqtt, name: fleet, url: "mqtt://127.0.0.1:\(broker.port)", base: fleet, format: \(format), \
                syncThreshold: 3, maxBatchSize: 20, backoff: {maximum: 1}}
                """
            let agent = try AgentUnderTest(folder: folder, gpsd: gpsd.port, sink: sink)
            let system = PublishingSystem(gpsd: gpsd, broker: broker, subscriber: subscriber, agent: agent)
            try await driveThroughKills(system)
            try await system.waitUntilDelivered()
            let known = try await agent.stored().map(\.id)
            try await eventually("the subscriber has everything") {
                try Set(known).isSubset(of: records(at: subscriber, latitude).map(\.id))
            }

            let arrivals = try records(at: subscriber, latitude)
            let stored = try await agent.stored()  // a later one may have been added, and have arrived
            let places = Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0.latitude) })
            #expect(arrivals.allSatisfy { abs($0.latitude - (places[$0.id] ?? .nan)) < 1e-6 }, "each is a stored one")
            #expect(stored.count > 20)
            // Home Assistant sees the newest ahead of a backlog, and so not in order.
            if format == "owntracks" {
                var seen: Set<String> = []
                #expect(arrivals.map(\.id).filter { seen.insert($0).inserted } == stored.prefix(seen.count).map(\.id))
            }
            #expect(await agent.stop() == 0)
        }
    }

    private func driveThroughKills(_ system: PublishingSystem) async throws {
        var chance = SplitMix(seed: 20_260_302)
        try await system.startAndConnect()
        for _ in 1...3 {
            try await system.drive(steps: Int.random(in: 10...20, using: &chance))
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...40, using: &chance)))  // a random moment
            system.agent.kill()
            try system.agent.start()
            try await system.waitUntilConnected()
        }
        try await system.drive(steps: 20)
    }

    /// What came with a record's id, in order, repetitions included.
    private func records(at subscriber: SubscriberProcess, _ latitude: String) throws -> [Arrival] {
        try subscriber.messages().compactMap { message in
            guard let id = message.properties.first(where: { $0.first == "record-id" })?.last else { return nil }
            let json = try JSONValue.parse(message.payload.utf8)
            return Arrival(id: id, latitude: json[latitude]?.number ?? .nan)
        }
    }
}
