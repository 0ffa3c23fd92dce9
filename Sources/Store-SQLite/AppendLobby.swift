import TrackEngine

/// Where appends wait while a commit runs; the next commit takes all of them along.
///
/// It holds one request for each waiting caller, so it is bounded by the number of callers.
final class AppendLobby: Sendable {
    private let waiting = Guarded<[AppendTicket]>([])

    var count: Int { waiting.withLock { $0.count } }

    func enter(_ ticket: AppendTicket) { waiting.withLock { $0.append(ticket) } }

    /// All who wait, in the order of their arrival.
    func takeAll() -> [AppendTicket] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}

/// One caller's append and what became of it.
final class AppendTicket: Sendable {
    let request: AppendRequest
    private let outcome = Guarded<Result<[TrackRecord], StoreError>?>(nil)

    init(_ request: AppendRequest) { self.request = request }

    func settle(_ result: Result<[TrackRecord], StoreError>) { outcome.withLock { $0 = result } }

    /// What became of it; asked only after the commit that took it along.
    func result() throws(StoreError) -> [TrackRecord] {
        guard let outcome = outcome.withLock({ $0 }) else {
            throw StoreError(.inputOutput, "the append was not carried out")
        }
        return try outcome.get()
    }
}
