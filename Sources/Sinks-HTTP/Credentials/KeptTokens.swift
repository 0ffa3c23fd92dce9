import SealedFiles
package import TrackEngine
import TrackEngineSettings

/// The tokens that a sink keeps: what is exchanged next, and what is good now. A JSON document in a file of its owner alone.
package struct KeptTokens: Sendable, Hashable {
    /// The grant that the tokens belong to, without the client's secret, which may be changed at any time. Another grant begins
    /// anew: what one server has given is nothing for another one.
    package var grant: [String: String]
    /// What the server wants to see next time, where it has changed that.
    package var refreshToken: String?
    /// The access token of now.
    package var accessToken: String?
    /// Until when it is good, in seconds since 1970.
    package var expires: Double?

    package init(of grant: TokenGrant) {
        self.grant = [
            "url": grant.url, "clientID": grant.clientID, "refreshToken": grant.refreshToken?.revealed,
            "scope": grant.scope, "audience": grant.audience,
        ].compactMapValues(\.self)
    }

    /// Reads a document; `nil` for one that is something else.
    package init?(_ json: [UInt8]) {
        guard let document = JSONValue(ifReadable: json, maximumDepth: 3), document.members != nil else { return nil }
        let members = document["grant"]?.members ?? []
        grant = Dictionary(members.map { ($0.name, $0.value.string ?? "") }) { first, _ in first }
        refreshToken = Self.token(document["refreshToken"])
        accessToken = Self.token(document["accessToken"])
        expires = document["expires"]?.number
    }

    /// A token that could not be sent is none.
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
        var writer = JSONWriter()
        JSONValue.object(members).write(to: &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

/// Where tokens are kept; in memory alone where there is no place for them.
package struct TokenFile: Sendable {
    private let directory: String?
    private let file: SealedFile?
    private static let limit = 65_536

    /// The file of a sink in the agent's state directory.
    ///
    /// - Parameter key: what it is encrypted under; `nil` where the store is in plain.
    package init(of name: SinkID, in stateDirectory: String?, key: StoreKey? = nil) {
        let directory = stateDirectory.map(Self.directory)
        self.directory = directory
        file = directory.map { SealedFile("\($0)/\(name).json", limit: Self.limit, key: key) }
    }

    /// Where the files of all sinks are.
    static func directory(in stateDirectory: String) -> String { stateDirectory + "/tokens" }

    /// What is kept of a grant's tokens.
    func read(of grant: TokenGrant) throws(PrivateFileError) -> KeptTokens {
        let fresh = KeptTokens(of: grant)
        guard let (bytes, _) = try file?.read() else { return fresh }
        guard let kept = KeptTokens(bytes), kept.grant == fresh.grant else { return fresh }
        return kept
    }

    /// Keeps it, through to the disk.
    func write(_ tokens: KeptTokens) throws(PrivateFileError) {
        guard let directory, let file else { return }
        try PrivateFile.makeDirectory(directory)
        try file.replace(with: tokens.json)
    }
}
