import TrackEngine
package import TrackEngineSettings

/// The address of a Miataru server and the options of its connection.
package struct ServerAddress: Sendable, Hashable {
    /// The address without `/v1`. It may have a path, but no query.
    package var url: String
    /// The time limit of a whole exchange.
    package var httpTimeout = Duration.seconds(10)
    /// The trusted authorities and the client's certificate.
    package var tls = TLSFiles()
    /// Allows `http` to other machines.
    package var allowInsecure = false

    /// An address with the defaults.
    package init(url: String) { self.url = url }
}

extension ConfigurationCheck {
    /// Checks all settings except the files; returns the address of a call, `nil` if the address is invalid.
    mutating func endpoint(of address: ServerAddress, call: String) -> Endpoint? {
        httpTimeout(address.httpTimeout)
        let base = endpoint(address.url, allowInsecure: address.allowInsecure)
        rules(of: address.tls, for: base)
        guard let base else { return nil }
        guard !base.target.contains("?") else {
            problem("url", "\(base)", "an address without a query")
            return nil
        }
        return Endpoint(ifReadable: base.origin.description + base.target.withoutVersion + "/v1/" + call)
    }
}

extension String {
    /// A path without slashes at its end and without a version there.
    fileprivate var withoutVersion: String {
        var path = self[...]
        while path.hasSuffix("/") { path.removeLast() }
        if path.hasSuffix("/v1") { path.removeLast(3) }
        while path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}
