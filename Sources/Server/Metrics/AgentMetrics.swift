import TrackEngine

/// The agent's status, as `trackd status --json` has it, as metrics.
///
/// | family | of each | what |
/// |---|---|---|
/// | `trackengine_fixes_total` | source | fixes that the source has given |
/// | `trackengine_records_total` | source | records made of them |
/// | `trackengine_rejections_total` | source, reason | fixes that were not recorded |
/// | `trackengine_odometer_meters` | source | how far the object has travelled |
/// | `trackengine_queue_records` | sink | records that wait |
/// | `trackengine_queue_oldest_timestamp_seconds` | sink | the time of the oldest of them |
/// | `trackengine_delivered_records_total` | sink | records delivered |
/// | `trackengine_refused_records_total` | sink | records that the receiver refused |
/// | `trackengine_failed_attempts` | sink | attempts since the last success |
/// | `trackengine_last_success_timestamp_seconds` | sink | when the last delivery succeeded |
/// | `trackengine_store_records`, `trackengine_store_bytes` | | what the store holds |
/// | `trackengine_store_dropped_records_total` | | records lost to the store's bounds |
/// | `trackengine_dead_letters` | | records that were given up |
struct AgentMetrics: Sendable {
    private let status: JSONValue

    /// The metrics of a status.
    init(_ status: JSONValue) { self.status = status }

    /// Adds all families.
    func add(to metrics: inout MetricsText) {
        let sources = elements("sources")
        add("trackengine_fixes", .counter, "Fixes that a source has given.", "source", sources, "fixes", &metrics)
        add(
            "trackengine_records", .counter, "Records made of a source's fixes.", "source", sources, "recorded",
            &metrics)
        addRejections(sources, &metrics)
        add(
            "trackengine_odometer_meters", .gauge, "How far the object has travelled.", "source", sources, "odometer",
            &metrics)
        addSinks(elements("sinks"), &metrics)
        addStore(&metrics)
    }

    private func elements(_ name: String) -> [JSONValue] { status[name]?.array ?? [] }

    private func add(
        _ name: String, _ kind: MetricsText.Kind, _ help: String, _ label: String, _ elements: [JSONValue],
        _ member: String, _ metrics: inout MetricsText
    ) {
        metrics.family(name, kind, help)
        for element in elements {
            guard let id = element["id"]?.string, let value = element[member]?.metric else { continue }
            metrics.add(kind == .counter ? name + "_total" : name, [(label, id)], value)
        }
    }

    private func addRejections(_ sources: [JSONValue], _ metrics: inout MetricsText) {
        metrics.family("trackengine_rejections", .counter, "Fixes of a source that were not recorded, by reason.")
        for source in sources {
            guard let id = source["id"]?.string else { continue }
            for reason in source["rejected"]?.members ?? [] {
                guard let count = reason.value.number else { continue }
                metrics.add("trackengine_rejections_total", [("source", id), ("reason", reason.name)], count)
            }
        }
    }

    private func addSinks(_ sinks: [JSONValue], _ metrics: inout MetricsText) {
        let families: [(name: String, kind: MetricsText.Kind, help: String, member: String)] = [
            ("trackengine_queue_records", .gauge, "Records that wait for a sink.", "queued"),
            (
                "trackengine_queue_oldest_timestamp_seconds", .gauge, "The time of the oldest record that waits.",
                "oldest"
            ),
            ("trackengine_delivered_records", .counter, "Records that a sink has delivered.", "delivered"),
            ("trackengine_refused_records", .counter, "Records that a sink's receiver has refused.", "refused"),
            ("trackengine_failed_attempts", .gauge, "Attempts since a sink's last success.", "tried"),
            ("trackengine_last_success_timestamp_seconds", .gauge, "When a sink last delivered.", "lastSuccess"),
        ]
        for family in families {
            add(family.name, family.kind, family.help, "sink", sinks, family.member, &metrics)
        }
    }

    private func addStore(_ metrics: inout MetricsText) {
        let families: [(name: String, kind: MetricsText.Kind, help: String, member: String)] = [
            ("trackengine_store_records", .gauge, "Records in the store.", "records"),
            ("trackengine_store_bytes", .gauge, "Bytes that the store takes.", "bytes"),
            ("trackengine_store_dropped_records", .counter, "Records lost to the store's bounds.", "dropped"),
            ("trackengine_dead_letters", .gauge, "Records that were given up.", "deadLetters"),
        ]
        for family in families {
            metrics.family(family.name, family.kind, family.help)
            guard let value = status["store"]?[family.member]?.metric else { continue }
            metrics.add(family.kind == .counter ? family.name + "_total" : family.name, [], value)
        }
    }
}

extension JSONValue {
    /// A number, or a moment as seconds since 1970.
    fileprivate var metric: Double? {
        number ?? string.flatMap { Timestamp(rfc3339: $0) }.map { Double($0.nanosecondsSince1970 / 1_000_000) / 1000 }
    }
}
