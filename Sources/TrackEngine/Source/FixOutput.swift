/// A source's way into the engine.
///
/// The tracker makes one for each source. Tests and tools make their own from closures.
public struct FixOutput: Sendable {
    private let accept: @Sendable ([ReceivedFix]) async throws(CancellationError) -> Void
    private let arrival: @Sendable () -> (moment: TrackInstant, wallClock: Timestamp)
    private let note: @Sendable (SourceProblem) -> Void
    private let change: @Sendable (SourceStatus) -> Void
    private let demands: DemandSignal

    /// Makes an output from what it should do.
    ///
    /// - Parameters:
    ///   - demand: where the wanted rate is read; a fresh one asks for everything.
    ///   - emit: takes fixes in order; returns once they are judged and, where accepted, stored.
    ///   - report: takes what could not become a fix. Must not block.
    ///   - status: takes the source's state when it changes. Must not block.
    public init(
        demand: DemandSignal = DemandSignal(),
        emit: @escaping @Sendable ([Fix]) async throws(CancellationError) -> Void,
        report: @escaping @Sendable (SourceProblem) -> Void = { _ in },
        status: @escaping @Sendable (SourceStatus) -> Void = { _ in }
    ) {
        let watch = MonotonicClock(ContinuousClock())
        self.init(
            demand: demand, arrival: { (watch.now, Timestamp.now()) },
            take: { received throws(CancellationError) in try await emit(received.map(\.fix)) },
            report: report, status: status)
    }

    /// Makes an output that tells when each fix was received.
    ///
    /// - Parameters:
    ///   - arrival: the moment and the time of day of the call, by the tracker's clocks.
    ///   - take: takes fixes in order; returns once they are judged and, where accepted, stored.
    package init(
        demand: DemandSignal, arrival: @escaping @Sendable () -> (moment: TrackInstant, wallClock: Timestamp),
        take: @escaping @Sendable ([ReceivedFix]) async throws(CancellationError) -> Void,
        report: @escaping @Sendable (SourceProblem) -> Void, status: @escaping @Sendable (SourceStatus) -> Void
    ) {
        self.arrival = arrival
        demands = demand
        accept = take
        note = report
        change = status
    }

    /// Hands over one fix and waits until it has been judged and, if it was accepted, stored.
    ///
    /// - Throws: `CancellationError` when the tracker is stopping; the fix was not taken.
    public func emit(_ fix: Fix) async throws(CancellationError) {
        try await accept([received(fix)])
    }

    /// Hands over several fixes in order; those accepted share one commit.
    ///
    /// - Throws: `CancellationError` when the tracker is stopping; none of them was taken.
    public func emit(contentsOf fixes: [Fix]) async throws(CancellationError) {
        guard !fixes.isEmpty else { return }
        let (moment, wallClock) = arrival()
        try await accept(fixes.map { ReceivedFix(fix: $0, moment: moment, wallClock: wallClock) })
    }

    /// Notes that a fix has come at this moment, for a source that cannot hand it over at once; call it as the fix
    /// comes.
    ///
    /// The other calls do so themselves. Where fixes wait in a mailbox while the store cannot write, their moments keep
    /// the times between them.
    public func received(_ fix: Fix) -> ReceivedFix {
        let (moment, wallClock) = arrival()
        return ReceivedFix(fix: fix, moment: moment, wallClock: wallClock)
    }

    /// Hands over fixes that ``received(_:)`` has noted, in order; those accepted share one commit.
    ///
    /// - Throws: `CancellationError` when the tracker is stopping; none of them was taken.
    public func emit(contentsOf fixes: [ReceivedFix]) async throws(CancellationError) {
        guard !fixes.isEmpty else { return }
        try await accept(fixes)
    }

    /// Reports input that could not become a fix; it is counted and can be listed.
    public func report(_ problem: SourceProblem) {
        note(problem)
    }

    /// Says how the source is doing; call it on changes only.
    public func status(_ status: SourceStatus) {
        change(status)
    }

    /// How much is wanted at this moment.
    public var demand: FixDemand { demands.current }

    /// Waits until something other than `known` is wanted, and returns it.
    ///
    /// Returns `known` when the task is cancelled.
    public func demand(otherThan known: FixDemand) async -> FixDemand {
        await demands.value(otherThan: known)
    }
}

/// How a source is doing, in words that a person at a terminal understands.
public enum SourceStatus: Sendable, Hashable {
    /// Not begun, or between two attempts.
    case connecting
    /// Connected, but without a fix: the text says what is missing.
    case waiting(reason: String)
    /// Fixes arrive.
    case receiving
    /// Asleep between two looks, as the tracker asked.
    case sleeping
    /// Cannot deliver for now; the text says why. The source or its supervisor tries again.
    case unavailable(reason: String)
    /// There will be no more fixes.
    case finished
}

/// Input of a source that could not become a fix.
public struct SourceProblem: Sendable, Hashable, CustomStringConvertible {
    /// What kind of problem it is; problems are counted by kind.
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

    /// What kind of problem it is.
    public let kind: Kind
    /// The line of the input, counted from 1, where lines exist.
    public let line: Int?
    /// What was expected, without any part of the position.
    public let message: String

    /// Describes a problem.
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
