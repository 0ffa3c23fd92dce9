public import TrackEngine

extension MQTTSink {
    /// Makes a sink; nothing is opened before the first delivery or ``run()``.
    ///
    /// The presence goes to ``MessageOptions/topics``' availability, unless the configuration names a topic of its own.
    /// For Home Assistant the newest record always goes ahead of a backlog: nothing else shows where the thing is.
    ///
    /// ```swift
    /// let configuration = MQTTSink.Configuration(id: "fleet", host: "broker.example.org", clientID: "van-7")
    /// let sink = try MQTTSink(configuration, messages: MessageOptions(deviceID: "van-7"))
    /// ```
    ///
    /// - Parameter handler: who carries out the commands that the configuration allows.
    /// - Throws: everything that is wrong with the configuration or the options.
    public convenience init(
        _ configuration: Configuration, messages: MessageOptions, handler: (any MQTTCommandHandler)? = nil
    ) throws(ConfigurationError) {
        var configuration = configuration
        configuration.availabilityTopic = configuration.availabilityTopic ?? messages.topics.availability
        configuration.keepsLast = configuration.keepsLast || messages.format == .homeassistant
        try self.init(configuration, format: messages.makeFormat(), handler: handler)
    }
}
