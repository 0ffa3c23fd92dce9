import TestSupport
import TrackEngine

/// One try with a real HTTP receiver.
struct ReceiverTrial {
    private var plan: DeliveryPlan
    private let folder: String

    init(_ plan: DeliveryPlan, in folder: String) {
        (self.plan, self.folder) = (plan, folder)
    }

    /// How the receiver fails between kills, by chance; each has as many steps as it may cost deliveries.
    private static let failures = ["status:503,ok", "lost-reply,ok", "reset,ok", "truncated,ok", "retry-after:1,ok"]

    mutating func run() async throws -> DeliveryOutcome {
        let receiver = try await ReceiverProcess(log: folder + "/receiver.log")
        defer { receiver.stop() }
        let agent = try TorturedAgent(
            folder: folder,
            sink: """
                {type: overland, name: home, url: "\(receiver.url("/input"))", timestamps: milliseconds, \
                syncThreshold: 3, maxBatchSize: 20, backoff: {maximum: 1}}
                """)
        var disturbances = DeliveryOracle.Disturbances()
        var problems: [String] = []
        try receiver.setInput(plan.steadyScript)
        for kill in 1...plan.kills {
            try agent.start(seed: plan.random.next())
            try await pause(700...2500)
            if plan.receiver == .disturbed {
                let failure = Self.failures[Int.random(in: 0..<Self.failures.count, using: &plan.random)]
                try receiver.setInput(failure)
                disturbances.failures += 2
                try await pause(100...800)
            }
            if kill.isMultiple(of: 2) {
                try await receiver.restart()
                disturbances.kills += 1
                disturbances.failures += 2  // what was under way, and what finds nobody
                try await pause(50...500)
            }
            if let problem = agent.kill() { problems.append(problem) }
            disturbances.kills += 1
        }
        if plan.receiver == .refusesAll { problems += try rejectedTooOften(receiver) }
        try receiver.setInput(plan.finalScript)
        // The newest records may be poison, and are proven so only beside a record that the receiver takes.
        try agent.startToFinish(at: plan.goodTime(after: .now()))
        let problem = try await agent.finish(within: .seconds(90))
        if let problem { problems.append(problem) }
        return try await judge(agent, receiver, disturbances, problems)
    }

    /// While everything is refused, each life of the agent may search once, and looks a few times.
    private func rejectedTooOften(_ receiver: ReceiverProcess) throws -> [String] {
        let requests = try receiver.requests().count
        let allowed = plan.kills * 12
        return requests > allowed ? ["\(requests) requests to a receiver that takes nothing, \(allowed) may"] : []
    }

    private mutating func pause(_ range: ClosedRange<Int>) async throws {
        let moment = Int.random(in: range, using: &plan.random)
        try await Task.sleep(for: .milliseconds(moment))  // a random one in the life of another program
    }

    private func judge(
        _ agent: TorturedAgent, _ receiver: ReceiverProcess, _ disturbances: DeliveryOracle.Disturbances,
        _ problems: [String]
    ) async throws -> DeliveryOutcome {
        let (records, dead) = try await agent.stored()
        let arrivals = try receiver.records()
        let fruitful = Set(arrivals.map(\.request)).count
        let countsRequests = plan.poisonTimes != nil
        let oracle = DeliveryOracle(
            stored: records.map { record in
                let milliseconds = record.fix.time.nanosecondsSince1970 / 1_000_000
                return .init(
                    sequence: record.sequence.rawValue, id: record.id.description,
                    isPoison: plan.isPoison(atMilliseconds: milliseconds))
            },
            dead: dead, arrivals: arrivals.map(\.id),
            emptyRequests: countsRequests ? try receiver.requests().count - fruitful : nil, disturbances: disturbances)
        return DeliveryOutcome(oracle: oracle, problems: problems + (records.isEmpty ? ["nothing was recorded"] : []))
    }
}
