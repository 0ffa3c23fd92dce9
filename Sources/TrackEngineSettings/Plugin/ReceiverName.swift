public import TrackEngine

/// The settings of a sink whose server may not distinguish all names.
public protocol ReceiverSettings: SinkSettings {
    /// The name under which the server keeps the records; `nil` if it distinguishes all names.
    var receiverName: ReceiverName? { get }
}

/// The name under which a server keeps the records of a sink, if the server does not distinguish all names.
public struct ReceiverName: Sendable {
    /// The user that owns the device.
    public let user: String
    /// The device's name; `nil` for the agent's own.
    public let device: DeviceID?
    /// The key of the configuration that changes it.
    public let key: String
    /// The name that the server derives from user and device.
    public let folded: @Sendable (String, DeviceID) -> String

    /// A name.
    ///
    /// - Parameters:
    ///   - user: the user that owns the device.
    ///   - device: the device's name; `nil` for the agent's own.
    ///   - key: the key of the configuration that changes it.
    ///   - folded: the name that the server derives from user and device.
    public init(
        user: String, device: DeviceID?, key: String, folded: @escaping @Sendable (String, DeviceID) -> String
    ) {
        self.user = user
        self.device = device
        self.key = key
        self.folded = folded
    }
}
