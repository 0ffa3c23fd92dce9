package import TrackEngine

/// Decides whether a remote change has proved itself. A pure value.
///
/// After the change is applied, there are two kinds of proof. Either the track continues and is delivered: the server
/// has acknowledged a record that the recording rule made under the new values. Records of rest, motion, a pause or a
/// request do not count. Or another command has come through the sink, one that does not change the configuration. An
/// open connection proves no change, nor does the delivery of earlier records.
package struct TrialMonitor: Sendable, Hashable {
    /// The observed state at a moment.
    package struct Reading: Sendable, Hashable {
        /// Whether the agent runs with the values.
        package var isApplied: Bool
        /// The number of commands through the sink, without those that change the configuration.
        package var commands: Int
        /// The number of records that the recording rule has made (``TrialMonitor/recorded(by:)``).
        package var recorded: Int
        /// The number of records that wait for the sink.
        package var queued: Int
        /// The number of records that the sink's server has acknowledged.
        package var delivered: Int
        /// The number of records that the sink's server has rejected permanently.
        package var refused: Int
        /// Whether the object moves, as far as known: a resting object makes no such record.
        package var isMoving: Bool

        package init(
            isApplied: Bool = true, commands: Int = 0, recorded: Int = 0, queued: Int = 0, delivered: Int = 0,
            refused: Int = 0, isMoving: Bool = true
        ) {
            self.isMoving = isMoving
            (self.isApplied, self.commands, self.recorded) = (isApplied, commands, recorded)
            (self.queued, self.delivered, self.refused) = (queued, delivered, refused)
        }

        fileprivate var settled: Int { delivered + refused }
    }

    /// The conclusion from a sighting.
    package enum Decision: Sendable, Hashable {
        /// No decision yet.
        case wait
        /// A record would prove the change: send it, regardless of the sink's threshold.
        case send
        /// The change stays.
        case proven
    }

    private enum State: Hashable {
        /// The agent does not run with the values yet. To `applied`.
        case waiting
        /// The sighting when the values were applied. To `recorded`, or proven.
        case applied(Reading)
        /// There is a record, and the number of settled records at which it is certainly settled. To proven.
        case recorded(since: Reading, settled: Int)
    }

    /// The number of records made by the recording rule. The others are made under any values, even under values that
    /// record no movement.
    package static func recorded(by causes: [RecordCause: Int]) -> Int {
        causes.reduce(0) { $1.key.isOfRule ? $0 + $1.value : $0 }
    }

    private var state = State.waiting

    package init() {}

    /// Evaluates a sighting.
    package mutating func look(_ seen: Reading) -> Decision {
        switch state {
        case .waiting:
            if seen.isApplied { state = .applied(seen) }
            return .wait
        case .applied(let begin):
            if seen.commands > begin.commands { return .proven }
            guard seen.recorded > begin.recorded else { return .wait }
            if seen.queued == 0, seen.delivered > begin.delivered { return .proven }
            state = .recorded(since: begin, settled: seen.settled + seen.queued)
            return .send
        case .recorded(let begin, let settled):
            if seen.commands > begin.commands { return .proven }
            guard seen.delivered > begin.delivered else { return .wait }
            return seen.queued == 0 || seen.settled >= settled ? .proven : .wait
        }
    }
}

extension RecordCause {
    /// Whether such a record depends on the values of the recording rule.
    fileprivate var isOfRule: Bool {
        switch self {
        case .distance, .elapsed, .deviation, .turn, .interval, .improved: true
        case .first, .still, .departed, .requested, .resumed, .detected: false
        }
    }
}
