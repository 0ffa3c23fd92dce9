import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// The promise of the engine over MQTT, on real programs: gpsd, `trackd`, mosquitto, a subscriber.
///
/// What is compared comes from three places: what the test fed, what the agent vouched for (`export`) before each kill
/// and at the end, and what the subscriber wrote to its own log before it acknowledged it.
@Suite(.serialized) struct MQTTDeliveryTests {
    @Test(.timeLimit(.minutes(30)), arguments: ["trackengine", "batch"])
    func `every fix of an undisturbed journey arrives as a record, once and in order`(_ format: String) async throws {
        try await withSystem(format: format) { system in
            try await system.startAndConnect()
            try await system.drive(steps: 40)
            let arrivals = try await system.settle()
            #expect(arrivals.map(\.time) == system.journey.steps.map(\.time))
            #expect(zip(arrivals, system.journey.steps).allSatisfy { abs($0.latitude - $1.degrees) < 1e-6 })
            #expect(try system.records().count == 40, "nothing came twice")
            #expect(await system.agent.stop() == 0)
        }
    }

    @Test(.timeLimit(.minutes(30)), arguments: ["trackengine", "batch"])
    func `12 kills of the agent and three ends of the broker lose and invent nothing`(_ format: String) async throws {
        try await withSystem(format: format) { system in
            var chance = SplitMix(seed: 20_260_301)
            try await system.startAndConnect()
            try await system.drive(steps: 10)
            let vouched = try await system.driveThroughKills(12, longest: 20, &chance) {
                try await system.disturb($0)
            }
            try await system.waitUntilConnected()
            try await system.drive(steps: 30)
            let arrivals = try await system.settle()
            let stored = try await system.agent.stored()

            #expect(arrivals.map(\.id) == stored.map(\.id), "nothing lost, nothing invented, in order of acceptance")
            #expect(vouched.subtracting(arrivals.map(\.id)).isEmpty, "nothing forgotten that was once accepted")
            #expect(vouched.count > 50, "the agent has vouched for something")
            try expectNothingInvented(arrivals, of: system.journey, in: system.records())
            // 12 kills of the agent and five ends and stalls of the broker, each of which repeats a window at most.
            #expect(try system.records().count - arrivals.count <= 17 * PublishingSystem.window)
            #expect(await system.agent.stop() == 0)
        }
    }

    /// What arrived is what was fed, and what came twice came as the same record, soon.
    private func expectNothingInvented(
        _ arrivals: [PublishingSystem.Arrival], of journey: Journey, in all: [PublishingSystem.Arrival]
    ) {
        let fed = Dictionary(uniqueKeysWithValues: journey.steps.map { ($0.time, $0.degrees) })
        #expect(arrivals.allSatisfy { abs((fed[$0.time] ?? .nan) - $0.latitude) < 1e-6 }, "every record was fed")
        #expect(Set(arrivals.map(\.time)).count == arrivals.count, "no fix under two ids")
        #expect(Set(all).count == arrivals.count, "a duplicate is the same record")
        #expect(PublishingSystem.isWithinWindow(all), "only what was under way comes twice")
    }

    private func withSystem(format: String, _ body: (PublishingSystem) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let gpsd = try await GPSDaemon()
            let broker = try await MosquittoBroker(in: folder)
            let subscriber = try await SubscriberProcess(of: broker, log: folder + "/messages", filter: "fleet/#")
            let sink = """
                {type: mqtt, name: fleet, url: "mqtt://127.0.0.1:\(broker.port)", base: fleet, format: \(format), \
                syncThreshold: 3, maxBatchSize: 20, backoff: {maximum: 1}}
                """
            let agent = try AgentUnderTest(folder: folder, gpsd: gpsd.port, sink: sink)
            try await body(PublishingSystem(gpsd: gpsd, broker: broker, subscriber: subscriber, agent: agent))
        }
    }
}
