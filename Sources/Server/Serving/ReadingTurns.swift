/// Lets so many questions about the history be answered at a time; the others wait in their order.
///
/// The history has one thread, on which senders' points wait behind what is asked.
actor ReadingTurns {
    /// How many are answered at a time.
    static let count = 2

    private var free = ReadingTurns.count
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs an operation when it is its turn.
    nonisolated func take<Result: Sendable>(_ operation: () async throws -> Result) async throws -> Result {
        await begin()
        do {
            // Whoever has gone meanwhile wants no answer.
            try Task.checkCancellation()
            let result = try await operation()
            await end()
            return result
        } catch {
            await end()
            throw error
        }
    }

    private func begin() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
