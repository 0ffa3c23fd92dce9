package import TrackEngine
package import TrackEngineSettings

/// What every sink over HTTP demands of its configuration. Problems are under the names that the sinks' own configurations
/// have for their values.
extension ConfigurationCheck {
    /// The receiver's address, `https` unless it is this machine or plain `http` is allowed; `nil` for a text that is none.
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

    /// How long an exchange may take; see ``HTTPExchange/timeouts``.
    package mutating func httpTimeout(_ timeout: Duration) {
        let timeouts = HTTPExchange.timeouts
        if timeout < .milliseconds(timeouts.lowerBound) || timeout > .milliseconds(timeouts.upperBound) {
            problem("httpTimeout", timeout.inWords, "0.1 to 600 seconds")
        }
    }

    /// What can be told of files for TLS without reading them.
    package mutating func rules(of files: TLSFiles, for endpoint: Endpoint?) {
        switch (files.certificate, files.key) {
        case (nil, nil), (_?, _?): break
        case (let file?, nil): problem("tls.certificateFile", file, "a tls.keyFile beside it")
        case (nil, let keyFile?): problem("tls.keyFile", keyFile, "a tls.certificateFile beside it")
        }
        if endpoint?.origin.scheme == .http, files != TLSFiles() {
            problem("tls", "{…}", "an https address for it")
        }
    }
}
