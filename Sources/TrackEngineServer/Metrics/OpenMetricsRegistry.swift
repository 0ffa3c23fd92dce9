package import CoreMetrics
import TrackEngine

/// A backend of swift-metrics that keeps the numbers in memory, for a page in the text format of OpenMetrics.
///
/// The number of series is bounded: a program that makes series without end gets some that are not shown.
package final class OpenMetricsRegistry: Sendable {
    /// The most series.
    static let seriesLimit = 10_000

    private struct Family: Sendable {
        let kind: OpenMetricsFamily.Kind
        var series: [[OpenMetricsFamily.Label]: OpenMetricsSeries] = [:]
    }

    private struct State: Sendable {
        var families: [String: Family] = [:]
        var count = 0
        var dropped = 0
    }

    private let limit: Int
    private let state = SystemMutex(State())

    /// An empty registry.
    package init(limit: Int = OpenMetricsRegistry.seriesLimit) { self.limit = limit }

    /// The number of series that were requested beyond the limit, or under a name that belongs to another kind.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// All families, by name.
    package var families: [OpenMetricsFamily] {
        let families = state.withLock { $0.families }
        return families.sorted { $0.key < $1.key }.map { name, family in
            let series = family.series.values.sorted {
                $0.labels.map(\.value).lexicographicallyPrecedes($1.labels.map(\.value))
            }
            return OpenMetricsFamily(
                name: name, kind: family.kind, samples: series.map { .init(labels: $0.labels, value: $0.current) })
        }
    }

    private func series(
        _ label: String, _ dimensions: [(String, String)], _ kind: OpenMetricsFamily.Kind
    ) -> OpenMetricsSeries {
        let name = OpenMetricsName.family(label)
        let labels = dimensions.map { OpenMetricsFamily.Label(name: OpenMetricsName.label($0), value: $1) }
        return state.withLock { state in
            var family = state.families[name] ?? Family(kind: kind)
            if family.kind == kind, let series = family.series[labels] { return series }
            let series = OpenMetricsSeries(name, labels, kind)
            guard family.kind == kind, state.count < limit else {
                state.dropped += 1
                return series
            }
            family.series[labels] = series
            state.families[name] = family
            state.count += 1
            return series
        }
    }

    private func remove(_ handler: AnyObject) {
        guard let series = handler as? OpenMetricsSeries else { return }
        state.withLock { state in
            guard state.families[series.family]?.series[series.labels] === series else { return }
            state.families[series.family]?.series[series.labels] = nil
            state.count -= 1
            if state.families[series.family]?.series.isEmpty == true { state.families[series.family] = nil }
        }
    }
}

extension OpenMetricsRegistry: MetricsFactory {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter)
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, .counter)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge)
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(label, dimensions, aggregate ? .summary : .gauge)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .summary)
    }

    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}

/// Names as OpenMetrics has them (sections 4.1.1 and 4.9 of the specification): ASCII letters, digits and `_`, in a
/// family's also `:`, and no digit first.
enum OpenMetricsName {
    /// A family's name, without the `_total` that a counter's number has behind it.
    static func family(_ label: String) -> String {
        let name = name(label, also: ":")
        return name.hasSuffix("_total") ? String(name.dropLast("_total".count)) : name
    }

    /// A label's name.
    static func label(_ name: String) -> String { self.name(name, also: "_") }

    private static func name(_ text: String, also extra: Unicode.Scalar) -> String {
        var name = ""
        for scalar in text.unicodeScalars {
            let isAllowed =
                scalar == extra || scalar == "_"
                || scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            if name.isEmpty, ("0"..."9").contains(scalar) { name += "_" }
            name.unicodeScalars.append(isAllowed ? scalar : "_")
        }
        return name.isEmpty ? "_" : name
    }
}
