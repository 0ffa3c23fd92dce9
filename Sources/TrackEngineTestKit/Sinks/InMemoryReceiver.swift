internal import Synchronization
public import TrackEngine

/// A receiver without a network, the far end for sinks that are made up to test ``SinkLaws``.
public final class InMemoryReceiver: Sendable {
    private struct State {
        var held: [ReceivedRecord] = []
        var attempts = 0
        var isDown = false
    }

    /// What the receiver answers.
    public enum Answer: Sendable, Hashable {
        /// It holds the records now.
        case taken
        /// It cannot be reached.
        case unreachable
        /// It refuses the delivery for the sake of a record.
        case refused
        /// It says nothing.
        case nothing
    }

    private let state = Mutex(State())

    /// An empty receiver.
    public init() {}

    /// Offers records to the receiver in a mood.
    public func offer(_ records: [ReceivedRecord], _ mood: SinkBench.Mood) -> Answer {
        state.withLock { state in
            if state.isDown { return .unreachable }
            state.attempts += 1
            switch mood {
            case .silent: return .nothing
            case .refusing(let id) where records.contains { $0.id == id }: return .refused
            case .willing, .refusing:
                state.held += records
                return .taken
            }
        }
    }

    /// A bench around the receiver for sinks of one kind.
    public func bench(
        _ makeSink: @escaping @Sendable (InMemoryReceiver, SinkBench.Mood) -> any FixSink
    ) -> SinkBench {
        SinkBench(
            makeSink: { makeSink(self, $0) },
            received: { self.state.withLock { $0.held } },
            attempts: { self.state.withLock { $0.attempts } },
            takeDown: { self.state.withLock { $0.isDown = true } },
            bringUp: { self.state.withLock { $0.isDown = false } })
    }
}
