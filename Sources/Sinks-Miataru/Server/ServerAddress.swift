import HTTPDelivery
import TrackEngine
package import TrackEngineSettings

/// Where a Miataru server is and how it is reached.
package struct ServerAddress: Sendable, Hashable {
    /// The address without `/v1`. A path is kept, a query is not taken.
    package var url: String
    /// How long a whole exchange may take.
    package var httpTimeout = Duration.seconds(10)
    /// Whom to trust, and who we are.
    package var tls = TLSFiles()
    /// Allows `http` to other machines.
    package var allowInsecure = false

    /// An address with the defaults.
    package init(url: String) { self.url = url }
}

extension ConfigurationCheck {
    /// Looks at everything but the files; returns the address of a call, `nil` for an address that is none.
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
    /// A path without the slashes at its end and the version that some write there.
    fileprivate var withoutVersion: String {
        var path = self[...]
        while path.hasSuffix("/") { path.removeLast() }
        if path.hasSuffix("/v1") { path.removeLast(3) }
        while path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}
