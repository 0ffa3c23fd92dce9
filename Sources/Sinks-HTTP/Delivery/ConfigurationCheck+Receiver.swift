package import TrackEngine
package import TrackEngineSettings

/// The rules for the configuration of every sink over HTTP. Problems are reported under the names of the values in
/// the sinks' own configurations.
extension ConfigurationCheck {
    /// The server's address, `https` unless it is this machine or plain `http` is allowed; `nil` for an invalid
    /// address.
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

    /// The part of an unreadable URL that may be shown: without a possible password, path or query.
    private static func masked(_ url: String) -> String {
        guard !url.isEmpty else { return "(empty)" }
        guard let scheme = url.split(separator: "://", maxSplits: 1).first, scheme.count < 12,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }), url.contains("://")
        else { return "***" }
        return "\(scheme)://***"
    }

    /// Checks the time limit of an exchange; see ``DeliveryClient/timeouts``.
    package mutating func httpTimeout(_ timeout: Duration) {
        let timeouts = DeliveryClient.timeouts
        if timeout < .milliseconds(timeouts.lowerBound) || timeout > .milliseconds(timeouts.upperBound) {
            problem("httpTimeout", timeout.inWords, "0.1 to 600 seconds")
        }
    }

    /// Checks the files for TLS without reading them.
    package mutating func rules(of files: TLSFiles, for endpoint: Endpoint?) {
        switch (files.certificate, files.key) {
        case (nil, nil), (_?, _?): break
        case (let file?, nil): problem("tls.certificateFile", file, "a tls.keyFile with it")
        case (nil, let keyFile?): problem("tls.keyFile", keyFile, "a tls.certificateFile with it")
        }
        if endpoint?.origin.scheme == .http, files != TLSFiles() {
            problem("tls", "{…}", "an https address for it")
        }
    }
}
