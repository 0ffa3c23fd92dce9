public import ServiceLifecycle
public import TrackEngine

/// A ``/TrackEngine/Tracker`` as one service among others in a `ServiceGroup`.
///
/// A graceful shutdown stops the tracker gracefully: its sources end, and its sinks get one last sync of at most
/// `flushTimeout`. Cancellation is abrupt but equally safe. Put the tracker after the services that its sources and
/// sinks need, so that it stops before them, and close store and sinks after the group has ended.
///
/// ```swift
/// let group = ServiceGroup(
///     services: [TrackerService(tracker)], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
/// try await group.run()
/// ```
public struct TrackerService: Service {
    private let tracker: Tracker

    /// Creates a service for a tracker.
    public init(_ tracker: Tracker) {
        self.tracker = tracker
    }

    /// Tracks until a graceful shutdown or cancellation.
    ///
    /// - Throws: the errors of ``/TrackEngine/Tracker/run(until:)``.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            group.addTask {
                // Cancelled: the tracker has ended, or is about to.
                do { try await gracefulShutdown() } catch { return }
                await tracker.stop()
            }
            // The task that ends first ends the other: a shutdown before the tracker runs cancels it.
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
