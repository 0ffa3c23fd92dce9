import TrackEngine

/// The topics beside the records': all under `{base}/{device}`, so that one rule of an access list covers them, and none
/// of them that of the position, which a last will would overwrite.
public struct SinkTopics: Sendable, Hashable {
    /// Where the presence is retained: `online`, or `offline`, which is also the last will.
    public let availability: String
    /// Where commands come in.
    public let command: String
    /// Where commands are answered.
    public let reply: String
    /// Where the newest record is retained.
    public let last: String
    /// Where a consumer confirms records, unless it is told otherwise.
    public let confirmation: String
    /// Where events go, which are not positions.
    public let event: String
    /// Where the queue and the last success are retained, for Home Assistant's sensors.
    public let health: String

    /// The topics of a device; the values have been checked.
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

    /// Whether a topic is taken by one of these, so that records must not go there.
    func contains(_ topic: String) -> Bool { [availability, command, reply, last, event, health].contains(topic) }
}
