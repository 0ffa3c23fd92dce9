extension MQTTSink.Configuration {
    /// How a consumer confirms that it has stored records, for those to whom the broker's acknowledgement is not enough.
    ///
    /// A record is settled once the broker has acknowledged its message and the consumer has published the record's id on
    /// ``topic``, in whichever order. What is not confirmed is delivered again, with the same id. What the consumer
    /// publishes is described in <doc:TheFormats>.
    public struct ConfirmationOptions: Sendable, Hashable {
        /// Where the consumer publishes. Whoever may publish there can make records count as delivered.
        public var topic: String
        /// How long a delivery waits without any confirmation before it ends and is repeated: 1 to 3600 s, default 30 s.
        /// Each confirmation of a record of the delivery begins it anew.
        public var timeout: Duration

        /// Confirmations on this topic.
        public init(topic: String, timeout: Duration = .seconds(30)) {
            self.topic = topic
            self.timeout = timeout
        }
    }
}
