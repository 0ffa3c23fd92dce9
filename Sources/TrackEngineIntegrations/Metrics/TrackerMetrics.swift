public import CoreMetrics
public import ServiceLifecycle
public import TrackEngine

/// Reports the status of a ``/TrackEngine/Tracker`` to the metrics backend of the program, every few seconds.
///
/// ```swift
/// let metrics = TrackerMetrics(tracker)
/// try await metrics.run()
/// ```
///
/// It is also a service. In a `ServiceGroup` put it before the tracker's service, so that it reports the tracker's
/// final status.
public actor TrackerMetrics: Service {
    private let tracker: Tracker
    private let interval: Duration
    private let clock: any Clock<Duration>
    private var reporter: StatusReporter

    /// Creates a reporter, which does not report yet.
    ///
    /// - Parameters:
    ///   - tracker: the tracker whose status is reported, whether it runs or not.
    ///   - factory: the backend. Default: that of the program, which must be bootstrapped before.
    ///   - interval: the time between two reports. Default: 10 s. An interval shorter than that in which the backend
    ///     is read costs a status without adding information.
    ///   - clock: the clock for the interval.
    public init(
        _ tracker: Tracker, to factory: any MetricsFactory = MetricsSystem.factory,
        every interval: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.tracker = tracker
        self.interval = interval
        self.clock = clock
        reporter = StatusReporter(to: factory)
    }

    /// Reports now and at every interval, until cancellation or a graceful shutdown, at which it reports once more.
    /// Must not be called concurrently.
    ///
    /// - Throws: `CancellationError`.
    public func run() async throws {
        while !Task.isShuttingDownGracefully {
            reporter.report(await tracker.status())
            try await pause()
        }
        reporter.report(await tracker.status())
    }

    /// Waits for the next report, or for the shutdown.
    private func pause() async throws {
        do {
            try await cancelWhenGracefulShutdown { [clock, interval] in try await clock.sleep(for: interval) }
        } catch is CancellationError {
            try Task.checkCancellation()  // a shutdown ends the wait in the same way
        }
    }
}
