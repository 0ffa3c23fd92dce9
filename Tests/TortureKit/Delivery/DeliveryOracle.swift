/// Decides whether what a receiver has and what an agent's store shows fit together.
///
/// It knows the store after the end, what the receiver wrote down before it answered, and which records the receiver
/// would not take:
///
/// - (a) every record arrived, or is a dead letter with the receiver's reason; none of them both, and no good one is dead;
/// - (b) nothing arrived that was never recorded;
/// - (c) first arrivals are in order of acceptance, but for the records that served as controls in a search;
/// - (d) a record comes twice only because somebody was killed or a reply was lost, no more than a window each time, and no
///   record that came long before, but for controls, which a kill makes the agent forget;
/// - (e) requests that brought nothing are bounded by what went wrong.
package struct DeliveryOracle: Sendable {
    /// A record in the store.
    package struct Stored: Sendable, Hashable {
        package let sequence: Int64
        package let id: String
        /// Whether the receiver rejects it.
        package let isPoison: Bool

        package init(sequence: Int64, id: String, isPoison: Bool) {
            (self.sequence, self.id, self.isPoison) = (sequence, id, isPoison)
        }
    }

    /// What was done to agent and receiver.
    package struct Disturbances: Sendable {
        /// Deaths of the agent, the receiver or the broker.
        package var kills = 0
        /// Replies that got lost, connections that broke, and requests that were turned away for no fault of a record.
        package var failures = 0
        /// The most records in one delivery.
        package var window = 20
        /// How many records may have come between a record and its repetition. A broker repeats to its subscriber, too.
        package var reach = 20

        package init() {}
    }

    package let stored: [Stored]
    /// The reasons of dead letters by record.
    package let dead: [String: String]
    /// The ids in order of arrival, repetitions included.
    package let arrivals: [String]
    /// How many requests brought nothing; absent where nobody counts them.
    package let emptyRequests: Int?
    package let disturbances: Disturbances

    package init(
        stored: [Stored], dead: [String: String], arrivals: [String], emptyRequests: Int?, disturbances: Disturbances
    ) {
        (self.stored, self.dead, self.arrivals) = (stored, dead, arrivals)
        (self.emptyRequests, self.disturbances) = (emptyRequests, disturbances)
    }

    /// What was promised and does not hold.
    package var violations: [String] { missing + inventions + disorder + repetitions + waste }

    /// How many arrivals repeat earlier ones.
    package var duplicates: Int { arrivals.count - Set(arrivals).count }

    private var missing: [String] {
        let arrived = Set(arrivals)
        let lost = stored.filter { !arrived.contains($0.id) && dead[$0.id] == nil }
        let wronged = stored.filter { !$0.isPoison && dead[$0.id] != nil }
        let unnamed = dead.values.filter { $0.isEmpty }
        return [
            lost.isEmpty
                ? nil : "(a) \(lost.count) of \(stored.count) records neither arrived nor are dead: \(places(lost))",
            wronged.isEmpty ? nil : "(a) \(wronged.count) good records are dead letters: \(places(wronged))",
            unnamed.isEmpty ? nil : "(a) \(unnamed.count) dead letters without a reason",
        ].compactMap { $0 }
    }

    private var inventions: [String] {
        let unknown = Set(arrivals).subtracting(stored.map(\.id))
        return unknown.isEmpty ? [] : ["(b) \(unknown.count) arrived that the store does not have"]
    }

    /// A control goes ahead of its turn; each search for a poison record takes one, and a search that a kill interrupts begins
    /// again.
    private var disorder: [String] {
        let allowed = stored.contains(where: \.isPoison) ? (dead.count + disturbances.kills) * Self.controls : 0
        let count = aheadOfTheirTurn.count
        return count > allowed ? ["(c) \(count) records arrived ahead of their turn, \(allowed) may"] : []
    }

    /// The most controls that are taken in one search.
    private static let controls = 4

    /// Which records must be taken out so that the first arrivals are in order: those that a smaller number follows.
    private var aheadOfTheirTurn: Set<String> {
        let places = Dictionary(stored.map { ($0.id, $0.sequence) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<String> = []
        let first = arrivals.filter { seen.insert($0).inserted }
        var least = Int64.max
        var ahead: Set<String> = []
        for id in first.reversed() {
            guard let place = places[id] else { continue }
            if place > least { ahead.insert(id) } else { least = place }
        }
        return ahead
    }

    private var repetitions: [String] {
        let allowed = (disturbances.kills + disturbances.failures) * disturbances.window
        let far = farRepetitions.subtracting(aheadOfTheirTurn)
        return [
            duplicates > allowed ? "(d) \(duplicates) arrivals repeat others, \(allowed) may" : nil,
            far.isEmpty ? nil : "(d) \(far.count) records came again after more than \(disturbances.reach) others",
        ].compactMap { $0 }
    }

    /// Records that came again when more new ones had come than may since their first arrival.
    private var farRepetitions: Set<String> {
        var ranks: [String: Int] = [:]
        var far: Set<String> = []
        for id in arrivals {
            guard let rank = ranks[id] else {
                ranks[id] = ranks.count
                continue
            }
            if ranks.count - rank > disturbances.reach { far.insert(id) }
        }
        return far
    }

    /// Finding a poison record among n costs ⌈log2 n⌉ + 2 requests, those that only raised the suspicion, and its proof.
    private var waste: [String] {
        guard let emptyRequests else { return [] }
        let depth = (0...63).first { 1 << $0 >= disturbances.window } ?? 63
        let allowed = (dead.count + disturbances.kills) * (depth + 7) + disturbances.failures
        return emptyRequests > allowed ? ["(e) \(emptyRequests) requests brought nothing, \(allowed) may"] : []
    }

    private func places(_ records: [Stored]) -> String {
        records.prefix(5).map { "\($0.sequence)" }.joined(separator: ", ")
    }
}
