package import TrackEngine

/// Lets so many questions about the history be answered at a time; the others wait in their order.
///
/// The history has one thread, on which senders' points wait behind questions.
package actor QueryLimiter {
    /// The owner of a question.
    package enum Owner: Sendable, Hashable {
        case sender(DeviceID)
        /// A named viewer, or all who have the same key or sessions of it; `nil` where the rights have just ended.
        case reader(AccessRights?)
    }

    /// The most questions that are answered at a time.
    package static let count = 2
    /// The most that wait. The readers of some may have gone, which is not known until their turn.
    package static let queue = 64
    /// The most of one owner that wait, so that others find room.
    package static let share = 16

    private var free = QueryLimiter.count
    private var waiting: [(owner: Owner, isPatient: Bool, turn: CheckedContinuation<Void, Never>)] = []

    /// The number of questions that wait.
    package var waitingCount: Int { waiting.count }

    /// Thrown when too many wait, of all or of the owner.
    package struct Rejection: Error {}

    /// None is in progress.
    package init() {}

    /// Runs an operation when it is its turn.
    ///
    /// - Parameters:
    ///   - owner: the owner of the question.
    ///   - isPatient: whether it waits however many others do: a document that has begun cannot be refused. It takes no
    ///     room of other owners.
    ///   - operation: the work.
    /// - Throws: ``Rejection``, and the errors of the operation.
    package nonisolated func take<Result: Sendable>(
        of owner: Owner, waitingAmongAnyNumber isPatient: Bool = false, _ operation: () async throws -> Result
    ) async throws -> Result {
        guard await begin(owner, isPatient) else { throw Rejection() }
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

    private func begin(_ owner: Owner, _ isPatient: Bool) async -> Bool {
        guard free == 0 else {
            free -= 1
            return true
        }
        guard isPatient || hasRoom(for: owner) else { return false }
        await withCheckedContinuation { waiting.append((owner, isPatient, $0)) }
        return true
    }

    private func hasRoom(for owner: Owner) -> Bool {
        waiting.count { $0.owner == owner } < Self.share && waiting.count { !$0.isPatient } < Self.queue
    }

    private func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().turn.resume() }
    }
}
