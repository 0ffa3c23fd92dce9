internal import Synchronization
internal import TrackEngine

/// One run of a source, watched from outside.
final class SourceRun: Sendable {
    /// How a run ended.
    enum Outcome: Sendable {
        case returned
        case threw(String)
    }

    private let ended: EndOfRun
    private let task: Task<Void, Never>

    /// Starts the run.
    ///
    /// The task is unstructured because a source that ignores cancellation would otherwise hold up the test for ever:
    /// here it is left behind and named in a violation.
    init(_ source: any FixSource, _ probe: SourceProbe) {
        let ended = EndOfRun()
        self.ended = ended
        task = Task {
            do {
                try await source.run(probe.output)
                ended.note(.returned)
            } catch {
                ended.note(.threw("\(error)"))
            }
        }
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
