import CoreMetrics
import Logging
import ServiceLifecycle
import TrackEngine
import TrackEngineIntegrations

/// Reports while it is asked to, whatever runs the tracker.
func report(_ tracker: Tracker) async throws {
    let metrics = TrackerMetrics(tracker)
    try await metrics.run()
}

/// Tracks and reports until a signal ends the group.
func track(_ tracker: Tracker, _ logger: Logger) async throws {
    let group = ServiceGroup(
        services: [TrackerMetrics(tracker), TrackerService(tracker)],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    try await group.run()
}

/// Reports when somebody asks, and not by the clock.
func makeReporter(of tracker: Tracker) async -> StatusReporter {
    var reporter = StatusReporter(to: MetricsSystem.factory)
    reporter.report(await tracker.status())
    return reporter
}
