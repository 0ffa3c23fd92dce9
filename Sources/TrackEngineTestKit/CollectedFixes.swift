internal import Synchronization
public import TrackEngine

/// An output that keeps everything a source says, for tests of sources without a tracker.
public final class CollectedFixes: Sendable {
    private struct State {
        var fixes: [Fix] = []
        var problems: [SourceProblem] = []
        var statuses: [SourceStatus] = []
    }

    private let state = Mutex(State())
    /// What the source is asked for; set it to see how the source honours it.
    public let demand = DemandSignal()

    /// An empty collection.
    public init() {}

    /// The output to hand to the source.
    public var output: FixOutput {
        FixOutput(
            demand: demand,
            emit: { [self] fixes throws(CancellationError) in
                if Task.isCancelled { throw CancellationError() }
                state.withLock { $0.fixes.append(contentsOf: fixes) }
            },
            report: { [self] problem in state.withLock { $0.problems.append(problem) } },
            status: { [self] status in state.withLock { $0.statuses.append(status) } })
    }

    /// All fixes so far.
    public var fixes: [Fix] { state.withLock { $0.fixes } }
    /// All problems so far.
    public var problems: [SourceProblem] { state.withLock { $0.problems } }
    /// All states so far, in order.
    public var statuses: [SourceStatus] { state.withLock { $0.statuses } }
}
