import TrackEngine
import TrackEngineSettings

/// The reply to a command.
package struct CommandReply: Sendable, Hashable {
    /// The result of the command: JSON, or an error's text.
    package enum Content: Sendable, Hashable {
        case result(MQTTCommand, json: [UInt8])
        case error(String)
    }

    /// The longest result that is sent, in bytes.
    static let maximumResult = 65_536

    /// The message to publish.
    package static func message(
        _ content: Content, to request: ReceivedMessage, commandTopic: String
    ) -> MQTTMessage {
        var writer = JSONWriter(capacity: 256)
        switch content {
        case .result(let command, let json) where json.count <= maximumResult:
            writer.member(#"{"command":"#, command.rawValue)
            writer.raw(#","result":"#)
            writer.raw(json.isEmpty ? Array("null".utf8) : json)
        case .result: writer.raw(#"{"error":"the answer is too long""#)
        case .error(let text):
            writer.member(#"{"error":"#, String(text.prefix(512)))
        }
        writer.raw("}")
        var reply = MQTTMessage(
            topic: replyTopic(for: request, commandTopic: commandTopic), payload: writer.bytes,
            contentType: "application/json")
        reply.correlation = request.correlation
        return reply
    }

    /// The topic that the sender requests for the reply, if it is below ``SinkTopicSet/reply``.
    ///
    /// On any other topic the agent would publish on behalf of a sender of commands: to another device's command
    /// topic, for example, or over Home Assistant's descriptions, with rights that the sender may not have.
    private static func replyTopic(for request: ReceivedMessage, commandTopic: String) -> String {
        let reply = commandTopic + "/reply"
        if let topic = request.responseTopic, topic.hasPrefix(reply + "/"), TopicName.isValid(topic) { return topic }
        return reply
    }
}
