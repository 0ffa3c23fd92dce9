public import Logging
public import TrackEngine

extension MQTTSink {
    /// Creates a sink; it makes no connection before the first delivery or ``run()``.
    ///
    /// The presence is published on ``SinkTopicSet/availability`` of the messages' topics, unless the configuration
    /// names another topic. For Home Assistant the newest record is always sent ahead of a backlog, because no other
    /// message shows the current position.
    ///
    /// ```swift
    /// var configuration = MQTTSink.Configuration(host: "broker.example.org", deviceID: "van-7")
    /// configuration.messages.format = .owntracks
    /// let sink = try MQTTSink(id: "fleet", configuration: configuration)
    /// ```
    ///
    /// - Parameters:
    ///   - id: the sink's name.
    ///   - configuration: the broker, the client's identity and the form of the messages.
    ///   - logger: receives a line for each change of the connection.
    /// - Throws: all problems of the configuration, including its messages.
    public convenience init(
        id: SinkID = "mqtt", configuration: Configuration, logger: Logger = Logger(label: "track-engine.mqtt")
    ) throws(ConfigurationError) {
        var configuration = configuration
        let messages = configuration.messages
        let problems = messages.problems + (configuration.confirm.map(messages.problems(of:)) ?? [])
        if problems.isEmpty, configuration.availabilityTopic == nil {
            configuration.availabilityTopic = messages.topics.availability
        }
        configuration.keepsLast = configuration.keepsLast || messages.format == .homeassistant
        guard problems.isEmpty else {
            throw ConfigurationError(problems: configuration.problems(id) + problems)
        }
        try self.init(id: id, configuration: configuration, format: messages.makeFormat(), logger: logger)
    }

    /// The messages for the records of a batch, as a delivery publishes them.
    public func messages(for batch: RecordBatch) -> [MQTTMessage] {
        format.messages(for: batch.records, isBacklog: batch.current != nil).map(\.message)
    }
}

extension MQTTSink.Configuration {
    /// All problems of the configuration.
    fileprivate func problems(_ id: SinkID) -> [ConfigurationProblem] {
        do throws(ConfigurationError) {
            _ = try ConnectionSettings(self, id: id, nil)
            return []
        } catch {
            return error.problems
        }
    }
}
