import Encryption
package import TrackEngine
import TrackEngineSettings

/// The saved tokens of a sink: the next refresh token and the current access token. A JSON document in a file that
/// only its owner can read.
package struct TokenState: Sendable, Hashable {
    /// The grant of the tokens, without the client's secret, which may change at any time. A different grant starts
    /// without tokens, because the tokens of one server are useless to another.
    package var grant: [String: String]
    /// The refresh token for the next exchange, if the server has changed it.
    package var refreshToken: String?
    /// The current access token.
    package var accessToken: String?
    /// The time until which the access token is used, in seconds since 1970.
    package var expires: Double?

    package init(of grant: TokenEndpoint) {
        self.grant = [
            "url": grant.url, "clientID": grant.clientID, "refreshToken": grant.refreshToken?.revealed,
            "scope": grant.scope, "audience": grant.audience,
        ].compactMapValues(\.self)
    }

    /// Reads a document; `nil` for any other document.
    package init?(_ json: [UInt8]) {
        guard let document = JSONValue(ifReadable: json, maximumDepth: 3), document.members != nil else { return nil }
        let members = document["grant"]?.members ?? []
        grant = Dictionary(members.map { ($0.name, $0.value.string ?? "") }) { first, _ in first }
        refreshToken = Self.token(document["refreshToken"])
        accessToken = Self.token(document["accessToken"])
        expires = document["expires"]?.number
    }

    /// The token; `nil` if it could not be sent.
    private static func token(_ value: JSONValue?) -> String? {
        value?.string.flatMap { TokenReply.isToken($0) ? $0 : nil }
    }

    /// The document.
    package var json: [UInt8] {
        var members: [JSONValue.Member] = []
        members.append(.init("grant", .object(grant.sorted(by: <).map { .init($0.key, .string($0.value)) })))
        for (name, text) in [("refreshToken", refreshToken), ("accessToken", accessToken)] {
            if let text { members.append(.init(name, .string(text))) }
        }
        if let expires { members.append(.init("expires", .number(expires))) }
        return JSONValue.object(members).bytes + [UInt8(ascii: "\n")]
    }
}

/// The file of a sink's tokens; without a directory they are kept in memory only.
package struct TokenFile: Sendable {
    private let directory: String?
    private let file: EncryptedFile?
    private static let limit = 65_536

    /// The file of a sink in the agent's state directory.
    ///
    /// - Parameter key: The key that encrypts the file; `nil` if the store is not encrypted.
    package init(of name: SinkID, in stateDirectory: String?, key: StoreKey? = nil) {
        let directory = stateDirectory.map(Self.directory)
        self.directory = directory
        file = directory.map { EncryptedFile("\($0)/\(name).json", limit: Self.limit, key: key) }
    }

    /// The directory of the files of all sinks.
    static func directory(in stateDirectory: String) -> String { stateDirectory + "/tokens" }

    /// The saved tokens of a grant.
    func read(of grant: TokenEndpoint) throws(PrivateFileError) -> TokenState {
        let fresh = TokenState(of: grant)
        guard let (bytes, _) = try file?.read() else { return fresh }
        guard let kept = TokenState(bytes), kept.grant == fresh.grant else { return fresh }
        return kept
    }

    /// Saves the tokens durably.
    func write(_ tokens: TokenState) throws(PrivateFileError) {
        guard let directory, let file else { return }
        try PrivateFile.makeDirectory(directory)
        try file.replace(with: tokens.json)
    }
}
