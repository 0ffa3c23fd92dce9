import TrackEngine

/// The topics in addition to the records' topic. All are below `{base}/{device}`, so one rule of an access list
/// covers them. None is the topic of the position, which a last will would overwrite.
public struct SinkTopicSet: Sendable, Hashable {
    /// The topic of the retained presence: `online`, or `offline`, which is also the last will.
    public let availability: String
    /// The topic for commands.
    public let command: String
    /// The topic for replies to commands.
    public let reply: String
    /// The topic of the retained newest record.
    public let last: String
    /// The default topic on which a consumer confirms records.
    public let confirmation: String
    /// The topic for events, which are not positions.
    public let event: String
    /// The topic of the retained queue and last success, for Home Assistant's sensors.
    public let health: String

    /// The topics of a device, from validated values.
    package init(_ values: TopicValues) {
        let root = values.base + "/" + values.device.rawValue
        availability = root + "/availability"
        command = root + "/cmd"
        reply = root + "/cmd/reply"
        last = root + "/last"
        confirmation = root + "/confirmed"
        event = root + "/event"
        health = root + "/health"
    }

    /// Whether one of these topics equals a topic, which then cannot be used for records.
    func contains(_ topic: String) -> Bool { [availability, command, reply, last, event, health].contains(topic) }
}
