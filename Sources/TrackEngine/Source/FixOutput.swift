/// A source's interface to the engine.
///
/// The tracker creates one for each source. Tests and tools create their own from closures.
public struct FixOutput: Sendable {
    private let take: @Sendable (ReceivedBatch) async throws(CancellationError) -> Void
    private let arrival: @Sendable () -> (moment: TrackInstant, wallClock: Timestamp)
    private let note: @Sendable (SourceProblem) -> Void
    private let change: @Sendable (SourceStatus) -> Void
    private let demands: DemandSignal

    /// Creates an output from closures.
    ///
    /// - Parameters:
    ///   - demand: the source of the demand; a new one asks for every fix.
    ///   - emit: receives fixes in order; returns once they are decided and, if accepted, stored.
    ///   - report: receives input that could not become a fix. Must not block.
    ///   - status: receives the source's status when it changes. Must not block.
    public init(
        demand: DemandSignal = DemandSignal(),
        emit: @escaping @Sendable ([Fix]) async throws(CancellationError) -> Void,
        report: @escaping @Sendable (SourceProblem) -> Void = { _ in },
        status: @escaping @Sendable (SourceStatus) -> Void = { _ in }
    ) {
        let watch = MonotonicClock(ContinuousClock())
        self.init(
            demand: demand, arrival: { (watch.now, Timestamp.now()) },
            take: { received throws(CancellationError) in try await emit(received.fixes) },
            report: report, status: status)
    }

    /// Creates an output that records when each fix was received.
    ///
    /// - Parameters:
    ///   - demand: the source of the demand.
    ///   - arrival: the moment and the time of day of the call, by the tracker's clocks.
    ///   - take: receives fixes in order; returns once they are decided and, if accepted, stored.
    ///   - report: receives input that could not become a fix.
    ///   - status: receives the source's status when it changes.
    package init(
        demand: DemandSignal, arrival: @escaping @Sendable () -> (moment: TrackInstant, wallClock: Timestamp),
        take: @escaping @Sendable (ReceivedBatch) async throws(CancellationError) -> Void,
        report: @escaping @Sendable (SourceProblem) -> Void, status: @escaping @Sendable (SourceStatus) -> Void
    ) {
        self.arrival = arrival
        demands = demand
        self.take = take
        note = report
        change = status
    }

    /// Passes on one fix and waits until it has been decided and, if it was accepted, stored.
    ///
    /// - Throws: `CancellationError` when the tracker is stopping; the fix was not accepted.
    public func emit(_ fix: Fix) async throws(CancellationError) {
        let (moment, wallClock) = arrival()
        try await take(.together([fix], moment: moment, wallClock: wallClock))
    }

    /// Passes on several fixes in order; the accepted ones share one commit.
    ///
    /// - Throws: `CancellationError` when the tracker is stopping; none of them was accepted.
    public func emit(contentsOf fixes: [Fix]) async throws(CancellationError) {
        guard !fixes.isEmpty else { return }
        let (moment, wallClock) = arrival()
        try await take(.together(fixes, moment: moment, wallClock: wallClock))
    }

    /// Notes that a fix has arrived at this moment, for a source that cannot pass it on at once; call it when the fix
    /// arrives.
    ///
    /// The other calls do so themselves. If fixes wait in a queue while the store cannot write, the intervals between
    /// their moments are preserved.
    public func received(_ fix: Fix) -> ReceivedFix {
        let (moment, wallClock) = arrival()
        return ReceivedFix(fix: fix, moment: moment, wallClock: wallClock)
    }

    /// Passes on fixes noted by ``received(_:)``, in order; the accepted ones share one commit.
    ///
    /// - Throws: `CancellationError` when the tracker is stopping; none of them was accepted.
    public func emit(contentsOf fixes: [ReceivedFix]) async throws(CancellationError) {
        guard !fixes.isEmpty else { return }
        try await take(.each(fixes))
    }

    /// Reports input that could not become a fix; it is counted and can be listed.
    public func report(_ problem: SourceProblem) {
        note(problem)
    }

    /// Reports the source's status; call it on changes only.
    public func status(_ status: SourceStatus) {
        change(status)
    }

    /// The present demand.
    public var demand: FixDemand { demands.current }

    /// Waits for a demand other than `known`, and returns it.
    ///
    /// Returns `known` when the task is cancelled.
    public func demand(otherThan known: FixDemand) async -> FixDemand {
        await demands.value(otherThan: known)
    }
}

/// The status of a source, for a person at a terminal.
public enum SourceStatus: Sendable, Hashable {
    /// Not begun, or between two attempts.
    case connecting
    /// Connected, but without a fix; the text names the missing part.
    case waiting(reason: String)
    /// Fixes arrive.
    case receiving
    /// Asleep between two fixes, as the tracker asked.
    case sleeping
    /// Cannot deliver for now; the text contains the reason. The source or its supervisor tries again.
    case unavailable(reason: String)
    /// There are no more fixes.
    case finished
}

/// Input of a source that could not become a fix.
public struct SourceProblem: Sendable, Hashable, CustomStringConvertible {
    /// The kind of a problem; problems are counted by kind.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Not in the expected form, such as a bad checksum or a cut line.
        case malformed
        /// Longer than the bound, and skipped.
        case oversized
        /// Well-formed, but not enough for a fix: no date, no position.
        case incomplete
        /// Dropped because it came faster than the engine could take it.
        case overflow
    }

    /// The kind of problem.
    public let kind: Kind
    /// The line of the input, counted from 1, where lines exist.
    public let line: Int?
    /// The expectation that was not met, without any part of the position.
    public let message: String

    /// Creates a problem.
    public init(_ kind: Kind, line: Int? = nil, _ message: String) {
        self.kind = kind
        self.line = line
        self.message = message
    }

    /// `line 3: malformed: expected …`
    public var description: String {
        (line.map { "line \($0): " } ?? "") + "\(kind.rawValue): \(message)"
    }
}
