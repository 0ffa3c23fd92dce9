package import TrackEngine
import TrackEngineSettings

/// The tokens that a sink keeps: what is exchanged next, and what is good now. A JSON document in a file of its owner alone.
package struct KeptTokens: Sendable, Hashable {
    /// The refresh token of the configuration with which the chain began; another one there begins a new chain.
    package var configured: String?
    /// What the server wants to see next time, where it has changed that.
    package var refreshToken: String?
    /// The access token of now.
    package var accessToken: String?
    /// Until when it is good, in seconds since 1970.
    package var expires: Double?

    package init(configured: String?) { self.configured = configured }

    /// Reads a document; `nil` for one that is something else.
    package init?(_ json: [UInt8]) {
        guard let document = JSONValue(ifReadable: json, maximumDepth: 2), document.members != nil else { return nil }
        configured = document["configured"]?.string
        refreshToken = document["refreshToken"]?.string
        accessToken = document["accessToken"]?.string
        expires = document["expires"]?.number
    }

    /// The document.
    package var json: [UInt8] {
        var members: [JSONValue.Member] = []
        for (name, text) in [
            ("configured", configured), ("refreshToken", refreshToken), ("accessToken", accessToken),
        ] {
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
    private let path: String?
    private static let limit = 65_536

    /// The file of a sink in the agent's state directory.
    package init(of name: SinkID, in stateDirectory: String?) {
        path = stateDirectory.map { "\($0)/tokens/\(name).json" }
    }

    /// What is kept of a chain that began with this refresh token.
    func read(configured: Secret?) throws(PrivateFileError) -> KeptTokens {
        let fresh = KeptTokens(configured: configured?.revealed)
        guard let path, let (bytes, _) = try PrivateFile.read(path, atMost: Self.limit) else { return fresh }
        guard let kept = KeptTokens(bytes), kept.configured == fresh.configured else { return fresh }
        return kept
    }

    /// Keeps it, through to the disk.
    func write(_ tokens: KeptTokens) throws(PrivateFileError) {
        guard let path else { return }
        try PrivateFile.makeDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        try PrivateFile.replace(path, with: tokens.json)
    }
}
