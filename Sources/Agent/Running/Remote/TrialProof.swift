package import TrackEngine

/// Decides whether a change from afar has proved itself. A pure value.
///
/// It has, once it is applied, in one of two ways. The track goes on and gets through: the receiver has confirmed a record that
/// the recording rule made under the new values, none that tells of rest, motion, a pause or a request. Or another command has come through the sink,
/// none that changes the configuration. A connection that stands proves nothing, nor does a delivery of what was recorded before.
package struct TrialProof: Sendable, Hashable {
    /// What is seen at a moment.
    package struct Sighting: Sendable, Hashable {
        /// Whether the agent runs with the values.
        package var isApplied: Bool
        /// How many commands came through the sink, those not counted that change the configuration.
        package var commands: Int
        /// How many records there were that the recording rule wanted (``TrialProof/recorded(by:)``).
        package var recorded: Int
        /// How many records wait for the sink.
        package var queued: Int
        /// How many its receiver has confirmed.
        package var delivered: Int
        /// How many its receiver has refused for good.
        package var refused: Int
        /// Whether the object moves, as far as that is known: a resting one makes no such record.
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

    /// What follows from what is seen.
    package enum Verdict: Sendable, Hashable {
        /// Nothing is decided.
        case wait
        /// There is a record that would prove it: it is to be sent, whatever threshold the sink waits for.
        case send
        /// The change stays.
        case proven
    }

    private enum State: Hashable {
        /// The agent does not run with the values yet. To `applied`.
        case waiting
        /// What had been seen when they were applied. To `recorded`, or proven.
        case applied(Sighting)
        /// There is a record; with how many settled ones it is certainly among them. To proven.
        case recorded(since: Sighting, settled: Int)
    }

    /// How many of the records the recording rule wanted: the others are made under any values, also under those that record
    /// nothing of the way.
    package static func recorded(by causes: [RecordCause: Int]) -> Int {
        causes.reduce(0) { $1.key.isOfRule ? $0 + $1.value : $0 }
    }

    private var state = State.waiting

    package init() {}

    /// Takes what is seen now.
    package mutating func look(_ seen: Sighting) -> Verdict {
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
    /// Whether such a record follows from the recording rule's values.
    fileprivate var isOfRule: Bool {
        switch self {
        case .distance, .elapsed, .deviation, .turn, .interval, .improved: true
        case .first, .still, .departed, .requested, .resumed, .detected: false
        }
    }
}
