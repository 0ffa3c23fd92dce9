internal import Logging
internal import Synchronization

/// Appends the records of a source to the store, again and again until the store takes them or the run ends.
final class StoreRecordWriter: Sendable {
    private let environment: SourceProcessorEnvironment
    private let retrySignal = WakeSignal()
    /// Whether the run ends: no caller waits any longer for a store that cannot write.
    private let hasEnded = Atomic(false)
    private let unsettled = Atomic(0)

    init(_ environment: SourceProcessorEnvironment) { self.environment = environment }

    /// Whether the run ends.
    private var isEnding: Bool { hasEnded.load(ordering: .acquiring) }

    /// The number of records in an append that the store has not completed.
    var storing: Int { unsettled.load(ordering: .acquiring) }

    /// Ends the run: calls that wait for a store that cannot write give up.
    func end() {
        hasEnded.store(true, ordering: .releasing)
        retrySignal.raise()
    }

    /// Appends records and a checkpoint. Retries until the store succeeds, the run ends, or the deadline passes.
    func append(
        _ drafts: [RecordDraft], _ checkpoint: SourceCheckpoint?, before deadline: TrackInstant?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(CancellationError) -> [TrackRecord] {
        var tried = 0
        unsettled.store(drafts.count, ordering: .releasing)
        defer { unsettled.store(0, ordering: .releasing) }
        while true {
            do {
                let records = try await environment.store.append(drafts, checkpoint: checkpoint)
                if tried > 0 { environment.publisher.storeFailed(nil) }
                return records
            } catch {
                if Task.isCancelled || error.code == .closed { throw CancellationError() }
                tried += 1
                if tried == 1 {
                    environment.logger.error("cannot store", metadata: ["error": "\(error)"])
                    environment.publisher.storeFailed("\(error)")
                }
                try await waitToRetry(tried: tried, before: deadline)
            }
        }
    }

    /// Saves a checkpoint without records, at one attempt. Returns whether the store has it.
    func save(_ checkpoint: SourceCheckpoint, isolation: isolated (any Actor)? = #isolation) async -> Bool {
        do {
            _ = try await environment.store.append([], checkpoint: checkpoint)
            return true
        } catch {
            environment.publisher.storeFailed("\(error)")
            return false
        }
    }

    /// Waits for the end of a pause, or of the run.
    func waitForPause(isolation: isolated (any Actor)? = #isolation) async throws(CancellationError) {
        while environment.rules.pauses.isClosed {
            if Task.isCancelled || isEnding { throw CancellationError() }
            await environment.rules.pauses.waitUntilOpen()
        }
    }

    private func waitToRetry(
        tried: Int, before deadline: TrackInstant?, isolation: isolated (any Actor)? = #isolation
    ) async throws(CancellationError) {
        var wait = Backoff(maximum: .seconds(10)).wait(tried: tried)
        if let deadline {
            wait = min(wait, environment.watch.remaining(until: deadline))
            if wait <= .zero { throw CancellationError() }
        } else if isEnding {
            throw CancellationError()
        }
        await retrySignal.wait(for: wait, on: environment.watch.clock)
        if Task.isCancelled || isEnding && deadline == nil { throw CancellationError() }
    }
}
