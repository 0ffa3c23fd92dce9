public import TrackEngine

/// The name under which a receiver keeps what a sink sends, where the receiver does not tell all names apart.
public struct ReceiverName: Sendable {
    /// Whose the device is.
    public let user: String
    /// The device's name; `nil` for the agent's own.
    public let device: DeviceID?
    /// The key that changes it.
    public let key: String
    /// What the receiver makes of user and device.
    public let folded: @Sendable (String, DeviceID) -> String

    /// A name.
    ///
    /// - Parameters:
    ///   - user: whose the device is.
    ///   - device: the device's name; `nil` for the agent's own.
    ///   - key: the key that changes it.
    ///   - folded: what the receiver makes of user and device.
    public init(
        user: String, device: DeviceID?, key: String, folded: @escaping @Sendable (String, DeviceID) -> String
    ) {
        self.user = user
        self.device = device
        self.key = key
        self.folded = folded
    }
}
