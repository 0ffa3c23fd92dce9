import TrackEngine
import TrackEngineSettings

/// The newest settings that a receiver wants, until they are carried out. A receiver says them in each of its replies: what was
/// carried out or refused is not asked for again before it says something else.
final class RemoteSettingsInbox: Sendable {
    private struct State: Sendable {
        var agent: (any AgentServices)?
        var waiting: OverlandRemoteSettings?
        var last: OverlandRemoteSettings?
        var counts = Counts()
    }

    /// What became of the settings.
    struct Counts: Sendable, Hashable {
        var applied = 0
        var refused = 0
        /// Why the last ones were refused, or what of them means nothing here.
        var problem: String?
    }

    /// Raised when there are new ones.
    let news = WakeSignal()
    private let state = PthreadMutex(State())

    func attach(_ agent: any AgentServices) { state.withLock { $0.agent = agent } }

    var agent: (any AgentServices)? { state.withLock { $0.agent } }

    var counts: Counts { state.withLock { $0.counts } }

    /// Takes the reply that has acknowledged a batch.
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

    /// Takes what waits out.
    func next() -> OverlandRemoteSettings? {
        state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
    }

    /// What became of settings: `nil` for applied, otherwise why not. What is refused for now is asked for again with the next
    /// reply that says it.
    func note(_ wanted: OverlandRemoteSettings, refusal: RemoteRefusal?) {
        state.withLock { state in
            if refusal?.isForNow == true, state.last == wanted { state.last = nil }
            if refusal == nil { state.counts.applied += 1 } else { state.counts.refused += 1 }
            let ignored = wanted.ignored.isEmpty ? nil : "means nothing here: \(wanted.ignored.joined(separator: ", "))"
            state.counts.problem = refusal?.description ?? ignored.map { String($0.prefix(200)) }
        }
    }
}
