public import Logging
public import TrackEngine

extension MQTTSink {
    /// Makes a sink; nothing is opened before the first delivery or ``run()``.
    ///
    /// The presence goes to ``SinkTopics/availability`` of the messages' topics, unless the configuration names a topic of
    /// its own. For Home Assistant the newest record always goes ahead of a backlog: nothing else shows where the object is.
    ///
    /// ```swift
    /// let configuration = MQTTSink.Configuration(id: "fleet", host: "broker.example.org", clientID: "van-7")
    /// let sink = try MQTTSink(configuration, messages: MessageOptions(deviceID: "van-7"))
    /// ```
    ///
    /// - Throws: everything that is wrong with the configuration and the options.
    public convenience init(
        _ configuration: Configuration, messages: MessageOptions, logger: Logger = Logger(label: "track-engine.mqtt")
    ) throws(ConfigurationError) {
        var configuration = configuration
        let problems = messages.problems + (configuration.confirm.map(messages.problems(of:)) ?? [])
        if problems.isEmpty, configuration.availabilityTopic == nil {
            configuration.availabilityTopic = messages.topics.availability
        }
        configuration.keepsLast = configuration.keepsLast || messages.format == .homeassistant
        guard problems.isEmpty else {
            throw ConfigurationError(problems: configuration.problems + problems)
        }
        try self.init(configuration, format: messages.makeFormat(), logger: logger)
    }

    /// The messages that carry the records of a batch, as a delivery publishes them.
    public func messages(for batch: RecordBatch) -> [MQTTMessage] {
        format.messages(for: batch.records, isBacklog: batch.current != nil).map(\.message)
    }
}

extension MQTTSink.Configuration {
    /// Everything that is wrong with the configuration.
    fileprivate var problems: [ConfigurationProblem] {
        do throws(ConfigurationError) {
            _ = try ConnectionSettings(self, birthTopic: nil)
            return []
        } catch {
            return error.problems
        }
    }
}
