/// What one PUBLISH carries, whatever its quality of service.
public struct MQTTMessage: Sendable, Hashable {
    /// Where it goes.
    public var topic: String
    /// The application's bytes.
    public var payload: [UInt8]
    /// Whether the broker keeps it for later subscribers.
    public var isRetained: Bool
    /// The payload's media type, which MQTT 5 carries beside it.
    public var contentType: String?
    /// Names and values that MQTT 5 carries beside the payload.
    public var userProperties: [UserProperty]
    /// What MQTT 5 carries so that the receiver of a reply knows its request.
    package var correlation: [UInt8]?

    /// Makes a message.
    public init(
        topic: String, payload: [UInt8], isRetained: Bool = false, contentType: String? = nil,
        userProperties: [UserProperty] = []
    ) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.contentType = contentType
        self.userProperties = userProperties
    }

    /// A name and a value beside the payload.
    public struct UserProperty: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public let value: String

        /// Makes a property.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}
