internal import Synchronization
internal import TrackEngine

/// One run of a source, watched from outside.
final class SourceRun: Sendable {
    /// How a run ended.
    enum Outcome: Sendable, Equatable {
        case returned
        case threw(String)
    }

    private let ended: EndOfRun
    private let task: Task<Void, Never>

    /// Starts the run.
    ///
    /// The task is unstructured because a source that ignores cancellation would otherwise hold up the test for ever:
    /// here it is left behind and named in a violation.
    init(_ probe: SourceProbe, _ body: @escaping @Sendable (FixOutput) async throws -> Void) {
        let ended = EndOfRun()
        self.ended = ended
        task = Task {
            do {
                try await body(probe.output)
                ended.note(.returned)
            } catch {
                ended.note(.threw("\(error)"))
            }
        }
    }

    /// Starts a source.
    convenience init(_ source: any FixSource, _ probe: SourceProbe) {
        self.init(probe) { try await source.run($0) }
    }

    /// Waits for the end; returns whether it came within the limit.
    func ends(within limit: Duration) async -> Bool {
        await comesAbout(within: limit) { outcome != nil }
    }

    /// How the run ended; `nil` while it goes on.
    var outcome: Outcome? { ended.outcome }

    func cancel() { task.cancel() }
}

private final class EndOfRun: Sendable {
    private let state = Mutex<SourceRun.Outcome?>(nil)

    var outcome: SourceRun.Outcome? { state.withLock { $0 } }

    func note(_ outcome: SourceRun.Outcome) { state.withLock { $0 = outcome } }
}
