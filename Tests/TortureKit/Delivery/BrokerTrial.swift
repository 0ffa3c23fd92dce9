import Foundation
import TestSupport
import TrackEngine

/// One try with a real broker and a subscriber that writes down what comes.
struct BrokerTrial {
    private var plan: DeliveryPlan
    private let folder: String

    init(_ plan: DeliveryPlan, in folder: String) {
        (self.plan, self.folder) = (plan, folder)
    }

    mutating func run() async throws -> DeliveryOutcome {
        let broker = try await MosquittoBroker(in: folder)
        defer { broker.stop() }
        let subscriber = try await SubscriberProcess(of: broker, log: folder + "/messages", filter: "fleet/#")
        defer { subscriber.stop() }
        let agent = try TorturedAgent(
            folder: folder,
            sink: """
                {type: mqtt, name: fleet, url: "mqtt://127.0.0.1:\(broker.port)", base: fleet, format: trackengine, \
                syncThreshold: 3, maxBatchSize: 20, backoff: {maximum: 1}}
                """)
        var disturbances = DeliveryOracle.Disturbances()
        disturbances.reach = 2 * disturbances.window
        var problems: [String] = []
        for kill in 1...plan.kills {
            try agent.start(seed: plan.random.next())
            try await pause(500...1500)
            if kill.isMultiple(of: 2) {
                // In order, so that it saves what it has acknowledged: what mosquitto forgets in a crash is its own loss.
                broker.stop()
                try await pause(50...500)
                try await broker.restart()
                disturbances.kills += 1
                try await pause(50...500)
            }
            if let problem = agent.kill() { problems.append(problem) }
            disturbances.kills += 1
        }
        try agent.startToFinish()
        if let problem = try await agent.finish(within: .seconds(90)) { problems.append(problem) }
        return try await judge(agent, subscriber, disturbances, problems)
    }

    private mutating func pause(_ range: ClosedRange<Int>) async throws {
        let moment = Int.random(in: range, using: &plan.random)
        try await Task.sleep(for: .milliseconds(moment))  // a random one in the life of another program
    }

    private func judge(
        _ agent: TorturedAgent, _ subscriber: SubscriberProcess, _ disturbances: DeliveryOracle.Disturbances,
        _ problems: [String]
    ) async throws -> DeliveryOutcome {
        let (records, dead) = try await agent.stored()
        let expected = Set(records.map(\.id.description)).subtracting(dead.keys)
        var arrivals = try ids(from: subscriber)
        let end = ContinuousClock.now + .seconds(30)
        while !expected.isSubset(of: arrivals), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(20))  // the subscriber is another program
            arrivals = try ids(from: subscriber)
        }
        let oracle = DeliveryOracle(
            stored: records.map { .init(sequence: $0.sequence.rawValue, id: $0.id.description, isPoison: false) },
            dead: dead, arrivals: arrivals, emptyRequests: nil, disturbances: disturbances)
        return DeliveryOutcome(oracle: oracle, problems: problems + (records.isEmpty ? ["nothing was recorded"] : []))
    }

    private func ids(from subscriber: SubscriberProcess) throws -> [String] {
        try subscriber.messages().filter { $0.topic.hasPrefix("fleet/van-7/record") }.compactMap { message in
            let json = try JSONSerialization.jsonObject(with: Data(message.payload.utf8)) as? [String: Any]
            return json?["id"] as? String
        }
    }
}
