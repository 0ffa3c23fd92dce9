/// What the broker says in its CONNACK that it can take (MQTT 5 section 3.2.2.3); unsaid means no limit.
package struct BrokerLimits: Sendable, Hashable {
    /// Messages of quality of service 1 that may be unacknowledged.
    package var receiveMaximum = 65_535
    /// Bytes of a whole packet.
    package var maximumPacketSize: Int?
    /// The highest quality of service.
    package var maximumQoS = 1
    /// Whether it keeps retained messages.
    package var canRetain = true

    /// No limits.
    package init() {}
}
