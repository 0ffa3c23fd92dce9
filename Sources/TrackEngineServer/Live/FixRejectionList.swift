import TrackEngine

/// The newest fixes that an engine did not record, for pages that are opened later.
final class FixRejectionList: Sendable {
    /// One of them.
    struct Entry: Sendable, Hashable {
        let device: DeviceID
        let fix: Fix
        let reason: RejectionReason
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        /// The index of the next entry when the list is full: it replaces the oldest one.
        var next = 0
    }

    private let limit: Int
    private let state = SystemMutex(State())

    /// - Parameter limit: how many are kept.
    init(limit: Int = 10_000) { self.limit = max(1, limit) }

    func add(_ entry: Entry) {
        state.withLock { state in
            if state.entries.count < limit {
                state.entries.append(entry)
            } else {
                state.entries[state.next] = entry
                state.next = (state.next + 1) % limit
            }
        }
    }

    /// Those of a device in a stretch of time, of many an even choice.
    func entries(of device: DeviceID, during times: Range<Timestamp>, atMost most: Int) -> [Entry] {
        let found = state.withLock { state in
            (state.entries[state.next...] + state.entries[..<state.next]).filter {
                $0.device == device && times.contains($0.fix.time)
            }
        }
        guard found.count > most else { return found }
        return (0..<most).map { found[$0 * found.count / most] }
    }
}
