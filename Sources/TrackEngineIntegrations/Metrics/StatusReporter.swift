public import CoreMetrics
public import TrackEngine

/// Reports the values of successive statuses to a metrics backend.
///
/// ``TrackerMetrics`` does so at intervals; this type is for a program that chooses the times itself. The backend's
/// counters grow by the difference from the status before. A count that has become smaller is that of a restarted
/// tracker, and all of it is new. A metric of a source or sink that does not exist any more is destroyed, so that the
/// backend may remove it.
///
/// ```swift
/// var reporter = StatusReporter(to: MetricsSystem.factory)
/// reporter.report(await tracker.status())
/// ```
///
/// Report the statuses of one tracker, in the order in which they were made.
public struct StatusReporter: Sendable {
    /// A counter, and the count that it has received.
    private struct Followed: Sendable {
        let counter: Counter
        var count: Int64 = 0

        mutating func follow(_ current: Int64) {
            let growth = current < count ? current : current - count
            count = current
            if growth > 0 { counter.increment(by: growth) }
        }
    }

    private let factory: any MetricsFactory
    private var counters: [MetricSeries: Followed] = [:]
    private var gauges: [MetricSeries: Gauge] = [:]

    /// Creates a reporter for a backend; the first status counts from 0.
    public init(to factory: any MetricsFactory) {
        self.factory = factory
    }

    /// Reports a status.
    public mutating func report(_ status: TrackerStatus) {
        let reading = StatusReading(status)
        forget(allBut: reading)
        for (series, count) in reading.counts {
            var followed = counters[series] ?? Followed(counter: series.makeCounter(factory))
            followed.follow(count)
            counters[series] = followed
        }
        for (series, level) in reading.levels {
            if gauges[series] == nil { gauges[series] = series.makeGauge(factory) }
            gauges[series]?.record(level)
        }
    }

    /// Keeps counts without labels: they are the store's, which could not be read this time and will not restart from
    /// 0.
    private mutating func forget(allBut reading: StatusReading) {
        for (series, followed) in counters where reading.counts[series] == nil && !series.labels.isEmpty {
            followed.counter.destroy()
            counters[series] = nil
        }
        for (series, gauge) in gauges where reading.levels[series] == nil {
            gauge.destroy()
            gauges[series] = nil
        }
    }
}

extension MetricSeries {
    private var dimensions: [(String, String)] { labels.map { ($0.name, $0.value) } }

    fileprivate func makeCounter(_ factory: any MetricsFactory) -> Counter {
        Counter(label: family.name, dimensions: dimensions, factory: factory)
    }

    fileprivate func makeGauge(_ factory: any MetricsFactory) -> Gauge {
        Gauge(label: family.name, dimensions: dimensions, factory: factory)
    }
}
