public import TrackEngine

/// Who may send to a sink that also receives, and who may look: what `trackd device` changes, also while the agent runs.
public protocol DeviceRegistry: Sendable {
    /// The devices that may send, in the order in which they were added.
    var senders: [DeviceID] { get }
    /// Lets a device send; returns its token, which is kept nowhere.
    ///
    /// - Parameters:
    ///   - device: the name under which its points are kept.
    ///   - isGateway: whether it sends for many devices, each under the name that it gives.
    /// - Throws: what was expected, for a name that is taken or cannot be one, or because the list cannot be written.
    func admit(_ device: DeviceID, isGateway: Bool) throws(DeviceRegistryError) -> Secret
    /// Takes the right to send from a device; returns whether it had it.
    func dismiss(_ device: DeviceID) throws(DeviceRegistryError) -> Bool
    /// What a person enters into apps for a device with a token: for each app the address, which holds the token.
    func addresses(of device: DeviceID, token: Secret) -> [DeviceAddress]
    /// The apps for which there are addresses.
    var apps: [String] { get }
    /// The address of the page with the key for reading in it, for programs.
    ///
    /// - Parameter listening: where the sink says that it listens, `nil` when nobody has asked it.
    func readingAddress(listening: String?) -> Secret
    /// The same address with the key for editing in it, which is made if there is none.
    ///
    /// - Throws: because the list cannot be written.
    func editingAddress(listening: String?) throws(DeviceRegistryError) -> Secret
    /// Lets nobody edit any more but viewers who have names; returns whether anybody could.
    func forbidEditing() throws(DeviceRegistryError) -> Bool
    /// Who may look.
    var viewing: any ViewerRegistry { get }
    /// Why phones will not reach the addresses, if they will not; in words for a person.
    var reachCaution: String? { get }
}

/// Why a list of devices cannot be read or changed, in words for people.
public struct DeviceRegistryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected, or what failed.
    public let description: String

    /// An error from its words.
    public init(_ description: String) { self.description = description }
}

/// What a person enters into one kind of app.
public struct DeviceAddress: Sendable, Hashable {
    /// The apps' name.
    public let app: String
    /// The address or link, which holds the token.
    public let address: Secret

    /// An address for an app.
    public init(_ app: String, _ address: Secret) {
        self.app = app
        self.address = address
    }
}
