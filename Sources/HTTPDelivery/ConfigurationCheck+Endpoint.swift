package import TrackEngine
package import TrackEngineSettings

extension ConfigurationCheck {
    /// The address under the key `url`: `https`, unless it is this machine or positions may go in the clear.
    package mutating func endpoint(_ url: String, allowInsecure: Bool) -> Endpoint? {
        do throws(Endpoint.Malformed) {
            let endpoint = try Endpoint(url)
            if endpoint.origin.scheme == .http, !endpoint.origin.isLoopback, !allowInsecure {
                problem("url", "\(endpoint)", "https, or allowInsecure to send positions in the clear")
            }
            return endpoint
        } catch {
            problem("url", Self.masked(url), error.rawValue)
            return nil
        }
    }

    /// What of a URL that we cannot read may be shown: nothing that could be a password, a path or a query.
    private static func masked(_ url: String) -> String {
        guard !url.isEmpty else { return "(empty)" }
        guard let scheme = url.split(separator: "://", maxSplits: 1).first, scheme.count < 12,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }), url.contains("://")
        else { return "***" }
        return "\(scheme)://***"
    }
}
