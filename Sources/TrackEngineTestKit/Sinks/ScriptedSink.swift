internal import Synchronization
public import TrackEngine

/// A sink that answers as a script says, one answer a delivery, and settles everything when the script is over.
public final class ScriptedSink: FixSink {
    /// An answer to a delivery.
    public enum Answer: Sendable, Hashable {
        /// Settles the whole batch.
        case settle
        /// Settles this many records, or as many as there are.
        case settleFirst(Int)
        /// Settles the whole batch and refuses what is listed here of it.
        case refuse([RecordID: String])
        /// Throws.
        case fail(DeliveryError)
        /// Waits for cancellation, then throws a retry.
        case hang
    }

    private struct State {
        var answers: ArraySlice<Answer>
        var rule: (@Sendable (RecordBatch) -> Answer)?
        var deliveries: [RecordBatch] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func take(_ batch: RecordBatch) -> (Answer, [CheckedContinuation<Void, Never>]) {
            deliveries.append(batch)
            let satisfied = watchers.filter { $0.count <= deliveries.count }.map(\.continuation)
            watchers.removeAll { $0.count <= deliveries.count }
            return (answers.popFirst() ?? rule?(batch) ?? .settle, satisfied)
        }
    }

    /// The sink's name.
    public let id: SinkID
    private let state: Mutex<State>

    /// A sink with a script.
    ///
    /// - Parameters:
    ///   - id: the sink's name.
    ///   - answers: what the first deliveries get, in order.
    ///   - rule: answers the deliveries after the script, for receivers that dislike a certain record.
    public init(
        id: SinkID = "scripted", _ answers: [Answer] = [], then rule: (@Sendable (RecordBatch) -> Answer)? = nil
    ) {
        self.id = id
        state = Mutex(State(answers: answers[...], rule: rule))
    }

    /// Gives the script's next answer.
    public func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        let (answer, satisfied) = state.withLock { $0.take(batch) }
        for continuation in satisfied { continuation.resume() }
        switch answer {
        case .settle: return Receipt(settled: batch.records.count)
        case .settleFirst(let count): return Receipt(settled: min(count, batch.records.count))
        case .refuse(let reasons):
            let ids = Set(batch.records.map(\.id))
            return Receipt(settled: batch.records.count, refused: reasons.filter { ids.contains($0.key) })
        case .fail(let error): throw error
        case .hang:
            try? await run()  // returns on cancellation, its only end
            throw DeliveryError(.retry(), "cancelled")
        }
    }

    /// All batches offered so far, whatever the answer.
    public var deliveries: [RecordBatch] { state.withLock { $0.deliveries } }

    /// Adds answers to the end of the script.
    public func append(_ answers: [Answer]) {
        state.withLock { $0.answers += answers }
    }

    /// Waits until at least this many batches have been offered.
    public func deliveries(atLeast count: Int) async {
        await withCheckedContinuation { continuation in
            let isSatisfied = state.withLock { state in
                if state.deliveries.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isSatisfied { continuation.resume() }
        }
    }
}
