/// A family of metrics with one name, which differ in their labels.
package struct MetricFamily: Sendable, Hashable {
    /// The kind of a metric.
    package enum Kind: Sendable, Hashable {
        /// A number that only grows.
        case counter
        /// A number that goes up and down.
        case gauge
        /// The number and the total duration of events.
        case timer
    }

    /// The name, with its unit if it has one and without `_total`.
    package let name: String
    /// The kind of its metrics.
    package let kind: Kind
    /// The description, in a sentence.
    package let help: String

    /// Creates a family.
    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }
}

/// The metrics of a tracker; the library's documentation page has a table of them.
extension MetricFamily {
    static let fixes = MetricFamily("trackengine_fixes", .counter, "Fixes that a source has given.")
    static let records = MetricFamily("trackengine_records", .counter, "Records made of a source's fixes.")
    static let rejections = MetricFamily(
        "trackengine_rejections", .counter, "Fixes of a source that were not recorded, by reason.")
    static let inputProblems = MetricFamily(
        "trackengine_input_problems", .counter, "Input of a source that was no fix, by reason.")
    static let odometer = MetricFamily("trackengine_odometer_meters", .gauge, "How far the object has travelled.")

    static let queue = MetricFamily("trackengine_queue_records", .gauge, "Records that wait for a sink.")
    static let queueOldest = MetricFamily(
        "trackengine_queue_oldest_timestamp_seconds", .gauge, "The time of the oldest record that waits.")
    static let delivered = MetricFamily(
        "trackengine_delivered_records", .counter, "Records that a sink has delivered.")
    static let refused = MetricFamily(
        "trackengine_refused_records", .counter, "Records that a sink's receiver has refused.")
    static let failedAttempts = MetricFamily(
        "trackengine_failed_attempts", .gauge, "Attempts since a sink's last success.")
    static let lastSuccess = MetricFamily(
        "trackengine_last_success_timestamp_seconds", .gauge, "When a sink last delivered.")

    static let storeRecords = MetricFamily("trackengine_store_records", .gauge, "Records in the store.")
    static let storeBytes = MetricFamily("trackengine_store_bytes", .gauge, "Bytes that the store takes.")
    static let storeDropped = MetricFamily(
        "trackengine_store_dropped_records", .counter, "Records lost to the store's bounds.")
    static let paused = MetricFamily(
        "trackengine_paused", .gauge, "Whether tracking and sending are paused: 1 in a pause, else 0.")
    static let deadLetters = MetricFamily("trackengine_dead_letters", .gauge, "Records that were given up.")

    /// All families.
    package static let ofTracker: [MetricFamily] = [
        .fixes, .records, .rejections, .inputProblems, .odometer, .queue, .queueOldest, .delivered, .refused,
        .failedAttempts, .lastSuccess, .storeRecords, .storeBytes, .storeDropped, .deadLetters, .paused,
    ]
}
