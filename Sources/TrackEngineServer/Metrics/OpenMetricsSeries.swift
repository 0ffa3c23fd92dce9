import CoreMetrics
import TrackEngine

/// One number of a family; holders of its handle change it.
final class OpenMetricsSeries: Sendable {
    /// The family's name.
    let family: String
    let labels: [OpenMetricsFamily.Label]
    private let value: SystemMutex<OpenMetricsFamily.Value>

    /// A series at zero.
    init(_ family: String, _ labels: [OpenMetricsFamily.Label], _ kind: OpenMetricsFamily.Kind) {
        self.family = family
        self.labels = labels
        switch kind {
        case .counter, .gauge: value = SystemMutex(.number(0))
        case .summary: value = SystemMutex(.summary(count: 0, sum: 0))
        }
    }

    /// The present value.
    var current: OpenMetricsFamily.Value { value.withLock { $0 } }

    private func change(_ change: (inout OpenMetricsFamily.Value) -> Void) { value.withLock { change(&$0) } }
}

extension OpenMetricsFamily.Value {
    /// Counts an amount, or goes up by it.
    fileprivate mutating func add(_ amount: Double) {
        guard amount.isFinite else { return }
        switch self {
        case .number(let number): self = .number(number + amount)
        case .summary(let count, let sum): self = .summary(count: count + 1, sum: sum + amount)
        }
    }

    /// Sets the value to an amount; a summary counts it as one more value.
    fileprivate mutating func take(_ amount: Double) {
        guard amount.isFinite else { return }
        switch self {
        case .number: self = .number(amount)
        case .summary: add(amount)
        }
    }
}

extension OpenMetricsSeries: CounterHandler, FloatingPointCounterHandler {
    func increment(by amount: Int64) { increment(by: Double(amount)) }

    /// A counter does not count down; a meter has ``decrement(by:)`` for that.
    func increment(by amount: Double) { if amount > 0 { change { $0.add(amount) } } }

    func reset() { change { $0.take(0) } }
}

extension OpenMetricsSeries: MeterHandler {
    func set(_ amount: Int64) { set(Double(amount)) }

    func set(_ amount: Double) { change { $0.take(amount) } }

    func decrement(by amount: Double) { if amount > 0 { change { $0.add(-amount) } } }
}

extension OpenMetricsSeries: RecorderHandler {
    func record(_ amount: Int64) { record(Double(amount)) }

    func record(_ amount: Double) { change { $0.take(amount) } }
}

extension OpenMetricsSeries: TimerHandler {
    func recordNanoseconds(_ duration: Int64) { change { $0.add(Double(duration) / 1e9) } }
}
