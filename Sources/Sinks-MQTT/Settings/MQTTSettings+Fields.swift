import TrackEngine
import TrackEngineSettings

extension Field<MQTTSettings> {
    /// The broker's address; it contains no secret once it was read.
    static var broker: Field {
        Field(
            "url", .text, BrokerAddress.expectation,
            read: { table, sink in
                guard let node = table.node("url") else { return }
                do throws(BrokerAddress.Malformed) {
                    guard let text = node.text else { throw .notAnAddress }
                    _ = try BrokerAddress(text)
                    sink.url = text
                } catch {
                    table.reject("url", node.text == nil ? node.shown : "***", error.rawValue)
                }
            },
            show: { .text($0.url) })
    }
}

/// `confirm: {topic: …, timeout: …}`: a consumer confirms each record that it has stored.
package struct MQTTConfirmation: Sendable, Hashable {
    /// A template of the topic for confirmations, by default `{base}/{device}/confirmed`.
    package var topic: String?
    /// The time that a delivery waits without any confirmation before it is repeated, 1 to 3600 s. Default 30.
    package var timeout = Duration.seconds(30)

    package init() {}

    static let fields: [Field<Self>] = [
        .text("topic", \.topic)
            .meaning("A template of the topic on which the consumer confirms; null for {base}/{device}/confirmed."),
        .seconds("timeout", \.timeout, MQTTSink.Configuration.ConfirmationOptions.timeouts)
            .meaning("How long a delivery waits without any confirmation before it is repeated."),
    ]
}

/// `card: {name: …, face: …}`: the name and picture that OwnTracks shows for the device.
package struct MQTTCard: Sendable, Hashable {
    /// The display name of the device.
    package var name: String?
    /// The path of a picture in PNG format.
    package var face: String?

    package init() {}

    static let fields: [Field<Self>] = [
        .text("name", \.name).meaning("The name of the device."),
        .text("face", \.face, .absolutePath).meaning("A picture of it: a PNG file of at most 64 KiB."),
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

extension ValueRule<MQTTSink.Configuration.QualityOfService> {
    /// 0 or 1.
    static var qualityOfService: ValueRule {
        let number = ValueRule<Int>.integer(0...1)
        return ValueRule(number.kind, number.expectation) { node in number.parse(node).flatMap(Value.init(rawValue:)) }
    }
}
