import TrackEngine
import TrackEngineSettings

/// The newest settings in a receiver's replies, until they are applied. A receiver repeats them in each reply:
/// settings that were applied or refused are ignored until they change.
final class RemoteSettingsInbox: Sendable {
    private struct State: Sendable {
        var agent: (any RemoteCommandHandler)?
        var waiting: OverlandRemoteSettings?
        var last: OverlandRemoteSettings?
        var counts = Counts()
    }

    /// The numbers of settings by result.
    struct Counts: Sendable, Hashable {
        var applied = 0
        var refused = 0
        /// The reason why the last ones were refused, or the members that have no meaning here.
        var problem: String?
    }

    /// Raised when there are new settings.
    let news = WakeSignal()
    private let state = SystemMutex(State())

    func attach(_ agent: any RemoteCommandHandler) { state.withLock { $0.agent = agent } }

    var agent: (any RemoteCommandHandler)? { state.withLock { $0.agent } }

    var counts: Counts { state.withLock { $0.counts } }

    /// Reads the reply that has acknowledged a batch.
    func take(_ reply: [UInt8]) {
        guard let wanted = OverlandRemoteSettings(reply: reply) else { return }
        let isNew = state.withLock { state in
            guard wanted != state.last else { return false }
            state.last = wanted
            state.waiting = wanted
            return true
        }
        if isNew { news.raise() }
    }

    /// Removes and returns the pending settings.
    func next() -> OverlandRemoteSettings? {
        state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
    }

    /// Records the result of settings: `nil` if they were applied, otherwise the refusal. Temporarily refused
    /// settings are tried again with the next reply that contains them.
    func note(_ wanted: OverlandRemoteSettings, refusal: RemoteRejection?) {
        state.withLock { state in
            if refusal?.isForNow == true, state.last == wanted { state.last = nil }
            if refusal == nil { state.counts.applied += 1 } else { state.counts.refused += 1 }
            let ignored =
                wanted.ignored.isEmpty ? nil : "has no meaning here: \(wanted.ignored.joined(separator: ", "))"
            state.counts.problem = refusal?.description ?? ignored.map { String($0.prefix(200)) }
        }
    }
}
