public import CoreMetrics
public import ServiceLifecycle
public import TrackEngine

/// Reports how a ``/TrackEngine/Tracker`` stands to the metrics backend of the program, every few seconds.
///
/// ```swift
/// let metrics = TrackerMetrics(tracker)
/// try await metrics.run()
/// ```
///
/// It is a service, too. In a `ServiceGroup` put it in front of the tracker's, so that it reports what the tracker did last.
public actor TrackerMetrics: Service {
    private let tracker: Tracker
    private let interval: Duration
    private let clock: any Clock<Duration>
    private var reporter: StatusReporter

    /// Makes a reporter; nothing is reported yet.
    ///
    /// - Parameters:
    ///   - tracker: the tracker whose status is reported, whether it runs or not.
    ///   - factory: the backend. Default: that of the program, which has to be bootstrapped before.
    ///   - interval: how long from one report to the next. Default: 10 s. A shorter one than that in which the backend is read
    ///     costs a status and tells nobody more.
    ///   - clock: what the interval is measured on.
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

    /// Reports now and at every interval, until a graceful shutdown, at which it reports once more, or cancellation. Called
    /// once at a time.
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
