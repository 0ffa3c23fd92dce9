import Foundation
import MetricsTestKit
import Testing
import TrackEngine
import TrackEngineIntegrations

/// What a backend is told of a status.
@Suite struct StatusReporterTests {
    private let backend = TestMetrics()

    @Test func `a status with two sources and two sinks is told in all families, each with its labels`() throws {
        var reporter = StatusReporter(to: backend)
        reporter.report(.sample(sources: [.gpsd, .replay], sinks: [.home, .fleet]))
        #expect(try backend.expectCounter("trackengine_fixes", [("source", "gpsd")]).totalValue == 10)
        #expect(try backend.expectCounter("trackengine_fixes", [("source", "replay")]).totalValue == 100)
        #expect(try backend.expectCounter("trackengine_records", [("source", "gpsd")]).totalValue == 3)
        let rejections = try backend.expectCounter(
            "trackengine_rejections", [("source", "gpsd"), ("reason", "too-near")])
        #expect(rejections.totalValue == 5)
        let problems = try backend.expectCounter(
            "trackengine_input_problems", [("source", "gpsd"), ("reason", "malformed")])
        #expect(problems.totalValue == 4)
        #expect(try backend.expectGauge("trackengine_odometer_meters", [("source", "gpsd")]).lastValue == 12.5)

        #expect(try backend.expectGauge("trackengine_queue_records", [("sink", "home")]).lastValue == 4)
        #expect(try backend.expectGauge("trackengine_queue_records", [("sink", "fleet")]).lastValue == 0)
        let oldest = try backend.expectGauge("trackengine_queue_oldest_timestamp_seconds", [("sink", "home")])
        #expect(oldest.lastValue == 1_772_359_200.5)
        let success = try backend.expectGauge("trackengine_last_success_timestamp_seconds", [("sink", "home")])
        #expect(success.lastValue == 1_772_359_260)
        #expect(try backend.expectCounter("trackengine_delivered_records", [("sink", "home")]).totalValue == 7)
        #expect(try backend.expectCounter("trackengine_refused_records", [("sink", "home")]).totalValue == 1)
        #expect(try backend.expectGauge("trackengine_failed_attempts", [("sink", "home")]).lastValue == 2)

        #expect(try backend.expectGauge("trackengine_store_records").lastValue == 7)
        #expect(try backend.expectGauge("trackengine_store_bytes").lastValue == 4096)
        #expect(try backend.expectCounter("trackengine_store_dropped_records").totalValue == 1)
        #expect(try backend.expectGauge("trackengine_dead_letters").lastValue == 2)
        #expect(backend.labels == Set(MetricFamily.ofTracker.map(\.name)))
    }

    @Test func `a counter grows by what has come since the status before`() throws {
        var reporter = StatusReporter(to: backend)
        for fixes in [10, 10, 25] { reporter.report(.sample(sources: [.source("gpsd", fixes: fixes)])) }
        #expect(try backend.expectCounter("trackengine_fixes", [("source", "gpsd")]).values == [10, 15])
    }

    @Test func `a count that has become smaller is that of a tracker that began anew`() throws {
        var reporter = StatusReporter(to: backend)
        for fixes in [10, 4, 6] { reporter.report(.sample(sources: [.source("gpsd", fixes: fixes)])) }
        #expect(try backend.expectCounter("trackengine_fixes", [("source", "gpsd")]).values == [10, 4, 2])
    }

    @Test func `the numbers of sources and sinks that are gone do not pile up`() {
        var reporter = StatusReporter(to: backend)
        for number in 1...50 {
            let source = SourceReport.source(SourceID(rawValue: "source \(number)"), fixes: 1)
            reporter.report(.sample(sources: [source], sinks: [.sink(SinkID(rawValue: "sink \(number)"))]))
        }
        #expect(backend.counters(label: "trackengine_fixes").count == 1)
        #expect(backend.recorders(label: "trackengine_odometer_meters").count == 1)
        #expect(backend.counters(label: "trackengine_delivered_records").count == 1)
        #expect(backend.recorders(label: "trackengine_queue_records").count == 1)
    }

    @Test func `a source that comes back counts from 0`() throws {
        var reporter = StatusReporter(to: backend)
        reporter.report(.sample(sources: [.source("gpsd", fixes: 10)]))
        reporter.report(.sample())
        reporter.report(.sample(sources: [.source("gpsd", fixes: 12)]))
        #expect(try backend.expectCounter("trackengine_fixes", [("source", "gpsd")]).values == [12])
    }

    @Test func `what is not known now is absent, and the store's drops are not counted twice`() throws {
        var reporter = StatusReporter(to: backend)
        reporter.report(.sample(sinks: [.home]))
        reporter.report(.sample(sinks: [.sink("home")], store: nil))
        #expect(backend.recorders(label: "trackengine_store_bytes").isEmpty)
        #expect(backend.recorders(label: "trackengine_queue_oldest_timestamp_seconds").isEmpty)
        #expect(try backend.expectCounter("trackengine_store_dropped_records").values == [1])
        reporter.report(.sample())
        #expect(try backend.expectCounter("trackengine_store_dropped_records").values == [1])
    }

    @Test func `the page of the library names every family`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent(
                "Sources/TrackEngineIntegrations/TrackEngineIntegrations.docc/ReportingMetrics.md"),
            encoding: .utf8)
        for family in MetricFamily.ofTracker { #expect(page.contains("| `\(family.name)` | \(family.kind) |")) }
    }
}

extension TestMetrics {
    /// The labels of everything that was made and not destroyed.
    fileprivate var labels: Set<String> {
        Set(counters.map(\.label) + recorders.map(\.label) + meters.map(\.label) + timers.map(\.label))
    }
}
