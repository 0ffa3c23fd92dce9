import TestSupport

/// The agent delivers to a receiver or a broker that rejects records, fails, loses replies and dies, and is killed itself.
package struct DeliveryPart: TorturePart {
    package let name = "delivery"
    package let summary = """
        trackd delivers to a receiver that rejects one record, two side by side, all, or large batches, that fails, loses \
        replies and dies, and to a broker that is restarted; agent, receiver and broker are killed in between
        """
    package let bar = """
        500 kills: everything arrives or is dead with a reason, in order but for controls, repeats and wasted requests bounded
        """
    package let patience = 180.0

    package init() {}

    package func tries(at scale: TortureScale, on bench: TortureBench) -> [Int] {
        scale == .full ? Array(0..<105) : Self.shortForm
    }

    package func attempt(_ number: Int, on bench: TortureBench) async throws -> TryResult {
        try await bench.withFolder { folder in
            let plan = DeliveryPlan(number: number, random: bench.random(name, number))
            let outcome: DeliveryOutcome
            if plan.receiver == .broker {
                var trial = BrokerTrial(plan, in: folder)
                outcome = try await trial.run()
            } else {
                var trial = ReceiverTrial(plan, in: folder)
                outcome = try await trial.run()
            }
            var result = TryResult(violations: outcome.violations.map { "\(plan.receiver.rawValue): \($0)" })
            result.count("tries with \(plan.receiver.rawValue)")
            result.count("kills", outcome.oracle.disturbances.kills)
            result.count("records", outcome.oracle.stored.count)
            result.count("dead letters", outcome.oracle.dead.count)
            result.count("repeats", outcome.oracle.duplicates)
            result.count("requests without a record", outcome.oracle.emptyRequests ?? 0)
            return result
        }
    }

    package func shortfalls(of counts: [String: Int]) -> [String] {
        let records = counts["records", default: 0]
        let tries = counts.filter { $0.key.hasPrefix("tries with") }.values.reduce(0, +)
        let kills = counts["kills", default: 0]
        return [
            records < tries * 20 ? "only \(records) records in \(tries) tries" : nil,
            // More tries than the short form has: a full run, perhaps not at its end.
            tries > Self.shortForm.count && kills < Self.wantedKills
                ? "cut short: \(kills) of \(Self.wantedKills) kills" : nil,
        ].compactMap { $0 }
    }

    private static let shortForm = [3, 6]
    private static let wantedKills = 500
}

/// What a try of the delivery has come to.
struct DeliveryOutcome {
    let oracle: DeliveryOracle
    /// What went wrong apart from the oracle's view.
    var problems: [String]

    var violations: [String] { problems + oracle.violations }
}
