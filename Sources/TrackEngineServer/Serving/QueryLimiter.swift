/// Lets so many questions about the history be answered at a time; the others wait in their order.
///
/// The history has one thread, on which senders' points wait behind questions.
package actor QueryLimiter {
    /// The most questions that are answered at a time.
    package static let count = 2
    /// The most that wait. The readers of some may have gone, which is not known until their turn.
    package static let queue = 64

    private var free = QueryLimiter.count
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The number of questions that wait.
    package var waitingCount: Int { waiting.count }

    /// Thrown when too many wait.
    package struct Rejection: Error {}

    /// None is in progress.
    package init() {}

    /// Runs an operation when it is its turn.
    ///
    /// - Parameters:
    ///   - isPatient: whether it waits however many others do: a document that has begun cannot be refused.
    ///   - operation: the work.
    /// - Throws: ``Rejection``, and the errors of the operation.
    package nonisolated func take<Result: Sendable>(
        waitingAmongAnyNumber isPatient: Bool = false, _ operation: () async throws -> Result
    ) async throws -> Result {
        guard await begin(isPatient) else { throw Rejection() }
        do {
            // A reader that has gone needs no answer.
            try Task.checkCancellation()
            let result = try await operation()
            await end()
            return result
        } catch {
            await end()
            throw error
        }
    }

    private func begin(_ isPatient: Bool) async -> Bool {
        guard free == 0 else {
            free -= 1
            return true
        }
        guard isPatient || waiting.count < Self.queue else { return false }
        await withCheckedContinuation { waiting.append($0) }
        return true
    }

    private func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
