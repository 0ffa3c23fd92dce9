/// Performs work that may take long, and calls `sign` each time that an interval has passed.
///
/// - Parameters:
///   - interval: the time between two signs.
///   - clock: measures the interval.
///   - sign: is called in the caller's task, one call at a time. If it throws, the work is cancelled.
///   - work: the work; it should end when its task is cancelled.
/// - Throws: the error of `sign`, and `CancellationError` if the task is cancelled before the work has ended.
package func withProgressSigns(
    every interval: Duration, clock: any Clock<Duration> = ContinuousClock(), _ sign: () async throws -> Void,
    during work: @escaping @Sendable () async -> Void
) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
            await work()
            return true
        }
        while true {
            group.addTask {
                try await clock.sleep(for: interval)
                return false
            }
            guard try await group.next() == false else { break }
            try await sign()
        }
        group.cancelAll()
    }
}
