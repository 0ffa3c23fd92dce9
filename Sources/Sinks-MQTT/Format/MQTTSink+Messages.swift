public import Logging
public import TrackEngine

extension MQTTSink {
    /// Makes a sink; nothing is opened before the first delivery or ``run()``.
    ///
    /// The presence goes to ``SinkTopics/availability`` of the messages' topics, unless the configuration names a topic of
    /// its own. For Home Assistant the newest record always goes ahead of a backlog: nothing else shows where the object is.
    ///
    /// ```swift
    /// var configuration = MQTTSink.Configuration(host: "broker.example.org", deviceID: "van-7")
    /// configuration.messages.format = .owntracks
    /// let sink = try MQTTSink(id: "fleet", configuration: configuration)
    /// ```
    ///
    /// - Parameters:
    ///   - id: the sink's name.
    ///   - configuration: which broker, as whom, and what the messages are like.
    ///   - logger: gets a line for each change of the connection.
    /// - Throws: everything that is wrong with the configuration, its messages included.
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

    /// The messages that carry the records of a batch, as a delivery publishes them.
    public func messages(for batch: RecordBatch) -> [MQTTMessage] {
        format.messages(for: batch.records, isBacklog: batch.current != nil).map(\.message)
    }
}

extension MQTTSink.Configuration {
    /// Everything that is wrong with the configuration.
    fileprivate func problems(_ id: SinkID) -> [ConfigurationProblem] {
        do throws(ConfigurationError) {
            _ = try ConnectionSettings(self, id: id, nil)
            return []
        } catch {
            return error.problems
        }
    }
}
