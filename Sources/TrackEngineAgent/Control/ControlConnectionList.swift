import TrackEngine

/// The control server's open connections, up to a limit. Those that have waited longest for a request make room for
/// new ones. A connection with a request in progress is left alone.
final class ControlConnectionList: Sendable {
    private struct State {
        var open = 0
        var lastTicket = 0
        /// The connections that wait for a request. Tickets grow: the oldest has the lowest.
        var waiting: [Int: LineConnection] = [:]
        /// Whether the next connection that has answered must end, because a new one waits for its place.
        var isRoomWanted = false

        mutating func wait(_ connection: LineConnection) -> Int {
            lastTicket += 1
            waiting[lastTicket] = connection
            return lastTicket
        }
    }

    private let limit: Int
    private let state = SystemMutex(State())
    private let closed = WakeSignal()

    /// - Parameter limit: the maximum number of connections, at least 1.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Returns when there is room for one more, or when the task is cancelled.
    ///
    /// Only the reading end of the connection that makes room is closed: a request that is on its way is still
    /// answered.
    func makeRoom() async {
        let isFull = state.withLock { state in
            guard state.open >= limit else { return false }
            if let oldest = state.waiting.keys.min(), let connection = state.waiting.removeValue(forKey: oldest) {
                connection.endInput()
            } else {
                state.isRoomWanted = true
            }
            return true
        }
        guard isFull else { return }
        while !Task.isCancelled, state.withLock({ $0.open >= limit }) { await closed.wait() }
        state.withLock { $0.isRoomWanted = false }
    }

    /// Adds a new connection, which waits for its first request; returns its ticket.
    func opened(_ connection: LineConnection) -> Int {
        state.withLock { state in
            state.open += 1
            return state.wait(connection)
        }
    }

    /// Lets a connection wait for its next request; `nil` if it must end, because a new one waits for its place.
    func waitsAgain(_ connection: LineConnection) -> Int? {
        state.withLock { state in
            if state.isRoomWanted { return nil }
            return state.wait(connection)
        }
    }

    /// Ends the wait of a connection: it has its request, or will get none.
    func waitEnded(_ ticket: Int) {
        state.withLock { $0.waiting[ticket] = nil }
    }

    /// Removes a connection that has ended.
    func closedOne() {
        state.withLock { $0.open -= 1 }
        closed.raise()
    }
}
