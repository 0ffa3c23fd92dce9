/// Runs something and gives up on it after a while, also in the middle of a body that drips.
///
/// What is given up is cancelled and waited for, so nothing outlives the call.
func withDeadline<Success: Sendable>(
    _ limit: Duration, clock: any Clock<Duration>, _ body: @escaping @Sendable () async throws -> Success
) async throws -> Success {
    try await withThrowingTaskGroup(of: Success?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await clock.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let success = first else { throw TransportFailure.deadline(limit) }
        return success
    }
}
