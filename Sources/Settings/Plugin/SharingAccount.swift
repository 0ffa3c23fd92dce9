public import TrackEngine

/// A name at a server through which a sink shares the tracked object's place: what `trackd miataru` looks after, also while the
/// agent runs.
public protocol SharingAccount: Sendable {
    /// Under which name the place is shared. A name that is kept by the agent is made now if there is none.
    func identity() async throws(SharingError) -> SharingIdentity
    /// Carries out a request and returns its outcome, a line for each fact. One request at a time.
    func perform(_ request: SharingRequest) async throws(SharingError) -> SharingOutcome
    /// Ends the connection.
    func close() async
}

/// What can be asked of an account.
public enum SharingRequest: Sendable, Hashable {
    /// Takes over an id that was made elsewhere.
    case adopt(Secret)
    /// Makes a new id, without a key; whoever knows the old one sees nothing new any more.
    case reset
    /// Demands a key of those who write under the id; `nil` for one of chance.
    case setKey(Secret?)
    /// Lets somebody see the place, and the history if so.
    case allow(id: Secret, history: Bool)
    /// Lets somebody see nothing any more.
    case disallow(id: Secret)
    /// Ends the list of those who may see the place: whoever knows the id may again.
    case allowEverybody
    /// Who may see the place.
    case listAllowed
    /// Who has asked for the place.
    case visitors
    /// What is shown beside the place; `nil` asks for what it is.
    case slogan(String?)
    /// Has the server delete what it keeps of the place.
    case delete
    /// How the account stands at the server.
    case status
}

/// The outcome of a request, for a person.
public struct SharingOutcome: Sendable, Hashable {
    /// What was done or is so, a line each.
    public var lines: [String]
    /// What a person should know besides; `nil` for nothing.
    public var caution: String?

    /// An outcome.
    public init(_ lines: [String], caution: String? = nil) {
        self.lines = lines
        self.caution = caution
    }
}

/// Under which name a place is shared.
public struct SharingIdentity: Sendable, Hashable {
    /// The id; whoever knows it may ask for the place.
    public var id: Secret
    /// The link that others scan.
    public var link: Secret
    /// Whether those who write under the id need a key.
    public var hasKey: Bool

    /// An identity from its parts.
    public init(id: Secret, link: Secret, hasKey: Bool) {
        self.id = id
        self.link = link
        self.hasKey = hasKey
    }
}

/// Why a request to an account failed, in words for people, without secrets.
public struct SharingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected, or what failed.
    public let description: String

    /// An error from its words.
    public init(_ description: String) { self.description = description }
}
