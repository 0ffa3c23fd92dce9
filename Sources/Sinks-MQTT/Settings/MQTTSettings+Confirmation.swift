import TrackEngineSettings

/// `confirm: {topic: …, timeout: …}`: a consumer confirms each record that it has stored.
package struct MQTTConfirmation: Sendable, Hashable {
    /// A template of the topic on which it does, by default `{base}/{device}/confirmed`.
    package var topic: String?
    /// How long a delivery waits without any confirmation before it is repeated, 1 to 3600 s. Default 30.
    package var timeout = Duration.seconds(30)

    package init() {}

    static let fields: [Field<Self>] = [
        .text("topic", \.topic)
            .meaning("A template of the topic on which the consumer confirms; null for {base}/{device}/confirmed."),
        .seconds("timeout", \.timeout, MQTTSink.Configuration.Bounds.confirmation.asNumbers)
            .meaning("How long a delivery waits without any confirmation before it is repeated."),
    ]
}

extension Field<MQTTSettings> {
    /// A table, `{}` for its defaults, or `null` for off.
    static var confirm: Field {
        Field(
            "confirm", .table, "the keys below", isOptional: true,
            parts: { _ in MQTTConfirmation.fields.map { $0.description(in: MQTTConfirmation()) } },
            read: { table, sink in
                guard let node = table.node("confirm"), !node.isNull else { return }
                sink.confirm = table.table("confirm") { part in
                    var confirm = MQTTConfirmation()
                    for field in MQTTConfirmation.fields { field.read(&part, &confirm) }
                    return confirm
                }
            },
            show: { sink in sink.confirm.map { .table(MQTTConfirmation.fields, of: $0) } ?? .word("null") })
    }
}
