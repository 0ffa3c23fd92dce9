internal import Logging
public import TrackEngine

/// Publishes records to an MQTT broker; a record is settled by the broker's acknowledgement and by nothing else.
public final class MQTTSink: FixSink {
    /// The sink's name, under which the store keeps its cursor.
    public let id: SinkID

    private let configuration: Configuration
    private let format: any MessageFormat

    /// Makes a sink; nothing is opened before the first delivery or ``run()``.
    ///
    /// - Throws: everything that is wrong with the configuration.
    package init(
        _ configuration: Configuration, format: any MessageFormat, handler: (any MQTTCommandHandler)? = nil
    ) throws(ConfigurationError) {
        id = configuration.id
        self.configuration = configuration
        self.format = format
    }

    /// How connection and deliveries stand.
    public var status: MQTTStatus { MQTTStatus() }

    /// Names who carries out commands; without one they are answered with an error.
    public func handleCommands(with handler: any MQTTCommandHandler) {}

    /// Tells how to find out how many records wait, for consumers that show it.
    public func observeQueue(_ queued: @escaping @Sendable () async -> Int?) {}

    /// Publishes the batch's messages in order.
    public func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        throw DeliveryError(.retry(), "not there yet")
    }
}
