public import TrackEngine

/// The settings of a sink with an account under which it shares the position.
public protocol SharingSettings: SinkSettings {
    /// The account of the sink.
    func sharingAccount(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> any SharingAccount
}

/// An account at a server through which a sink shares the tracked object's position. `trackd miataru` manages it, also
/// while the agent runs.
public protocol SharingAccount: Sendable {
    /// The identity under which the position is shared. If the agent keeps the identity and has none yet, it is
    /// created now.
    func identity() async throws(SharingError) -> SharingIdentity
    /// Performs a request and returns its outcome, a line for each fact. One request at a time.
    func perform(_ request: SharingRequest) async throws(SharingError) -> SharingOutcome
    /// Ends the connection.
    func close() async
}

/// A request to an account.
public enum SharingRequest: Sendable, Hashable {
    /// Adopts an id that was created elsewhere.
    case adopt(Secret)
    /// Creates a new id without a key; followers of the old id see no new positions.
    case reset
    /// Requires a key for writing under the id; `nil` for a random key.
    case setKey(Secret?)
    /// Allows a device to see the position, and also the history if `history` is true.
    case allow(id: Secret, history: Bool)
    /// Removes a device's permission to see the position.
    case disallow(id: Secret)
    /// Removes the list of allowed devices, so that everyone with the id may see the position again.
    case allowEverybody
    /// Lists the devices that may see the position.
    case listAllowed
    /// Lists the devices that have requested the position.
    case visitors
    /// Sets the text shown with the position; `nil` returns the current text.
    case slogan(String?)
    /// Deletes the data about the position from the server.
    case delete
    /// Returns the status of the account at the server.
    case status
}

/// The outcome of a request, for a person.
public struct SharingOutcome: Sendable, Hashable {
    /// The results or facts, a line each.
    public var lines: [String]
    /// A warning for the user; `nil` for none.
    public var caution: String?

    /// An outcome.
    public init(_ lines: [String], caution: String? = nil) {
        self.lines = lines
        self.caution = caution
    }
}

/// The identity under which a position is shared.
public struct SharingIdentity: Sendable, Hashable {
    /// The id; knowledge of it is enough to request the position.
    public var id: Secret
    /// The link that others scan.
    public var link: Secret
    /// Whether writing under the id needs a key.
    public var hasKey: Bool

    /// An identity from its parts.
    public init(id: Secret, link: Secret, hasKey: Bool) {
        self.id = id
        self.link = link
        self.hasKey = hasKey
    }
}

/// The reason why a request to an account failed, in words for people, without secrets.
public struct SharingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expectation or the failure.
    public let description: String

    /// Creates an error from its description.
    public init(_ description: String) { self.description = description }
}
