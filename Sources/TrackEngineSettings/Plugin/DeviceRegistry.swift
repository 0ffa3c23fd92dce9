public import TrackEngine

/// The settings of a sink that also receives.
public protocol RegistrySettings: SinkSettings {
    /// The devices that may send to the sink. The registry is in the sink's directory, which is created if necessary.
    ///
    /// - Parameter key: the key with which the list is encrypted; `nil` if the store is not encrypted.
    func deviceRegistry(encryptedUnder key: StoreKey?) throws(DeviceRegistryError) -> any DeviceRegistry
}

/// The senders and viewers of a sink that also receives. `trackd device` changes them, also while the agent runs.
public protocol DeviceRegistry: Sendable {
    /// The devices that may send, in the order in which they were added.
    var senders: [DeviceID] { get }
    /// Permits a device to send; returns its token, which is not saved.
    ///
    /// - Parameters:
    ///   - device: the name under which its fixes are kept.
    ///   - isGateway: whether it sends for many devices, each under the name that it gives.
    /// - Throws: the expectation, if the name is taken or not valid, or an error if the list cannot be written.
    func admit(_ device: DeviceID, isGateway: Bool) throws(DeviceRegistryError) -> Secret
    /// Removes a device's permission to send; returns whether it had the permission.
    func dismiss(_ device: DeviceID) throws(DeviceRegistryError) -> Bool
    /// The addresses that a user enters into apps for a device with a token, one for each app. Each address includes
    /// the token.
    func addresses(of device: DeviceID, token: Secret) -> [DeviceAddress]
    /// The apps for which there are addresses.
    var apps: [String] { get }
    /// The address of the page, including the key for reading, for programs.
    ///
    /// - Parameter listening: the address at which the sink reports that it listens, `nil` if the sink was not asked.
    func readingAddress(listening: String?) -> Secret
    /// The address of the page, including the key for editing, which is created if there is none.
    ///
    /// - Throws: an error if the list cannot be written.
    func editingAddress(listening: String?) throws(DeviceRegistryError) -> Secret
    /// Permits editing only to named viewers; returns whether editing with a key was permitted before.
    func forbidEditing() throws(DeviceRegistryError) -> Bool
    /// The viewers of the page.
    var viewing: any ViewerRegistry { get }
    /// The reason why phones cannot reach the addresses, in words for people; `nil` if they can.
    var reachCaution: String? { get }
}

/// The reason why a list of devices cannot be read or changed, in words for people.
public struct DeviceRegistryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expectation or the failure.
    public let description: String

    /// Creates an error from its description.
    public init(_ description: String) { self.description = description }
}

/// The address that a user enters into one kind of app.
public struct DeviceAddress: Sendable, Hashable {
    /// The name of the apps.
    public let app: String
    /// The address or link, including the token.
    public let address: Secret

    /// An address for an app.
    public init(_ app: String, _ address: Secret) {
        self.app = app
        self.address = address
    }
}
