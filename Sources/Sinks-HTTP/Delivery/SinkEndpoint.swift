package import NIOSSL
package import TrackEngine
package import TrackEngineSettings

/// The destination of a sink, from a validated configuration.
package struct SinkEndpoint: Sendable {
    /// The server's address.
    package let endpoint: Endpoint
    /// The trusted authorities and the client's certificate.
    package let tls: TLSConfiguration

    /// Validates the configuration and reports all problems at once.
    ///
    /// - Parameters:
    ///   - id: the sink's name.
    ///   - files: the files for TLS, which are read here.
    ///   - rules: checks everything but the files; returns the address, or `nil` for an invalid one that it has
    ///     reported.
    package init(
        of id: SinkID, _ files: TLSFiles, rules: (inout ConfigurationCheck) -> Endpoint?
    ) throws(ConfigurationError) {
        var check = ConfigurationCheck()
        if id.rawValue.isEmpty { check.problem("id", "(empty)", "a name for the sink") }
        let endpoint = rules(&check)
        let tls = check.tls(files)
        try check.finish()
        guard let endpoint else { throw ConfigurationError(problems: []) }  // unreachable: the problem was thrown
        self.endpoint = endpoint
        self.tls = tls
    }
}

extension Endpoint {
    /// Texts that must not be shown even if the server repeats them: path and query, and each token of the path and
    /// each value of the query, both as written and decoded.
    package var secrets: [String] {
        var secrets = target.count > 1 ? [target] : []
        for token in pathSecrets { secrets += [token, PercentEncoding.decoded(token) ?? ""] }
        for item in target.split(separator: "?").dropFirst().joined(separator: "?").split(separator: "&") {
            let value = item.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
            secrets += [value, PercentEncoding.decoded(value) ?? ""]
        }
        return secrets
    }
}

extension [String] {
    /// These texts in the order in which to hide them: the longest first, so none is hidden only in part. A text of
    /// one or two characters is no secret, and hiding it would make everything unreadable.
    var hidingOrder: [String] { filter { $0.count > 2 }.sorted { $0.count > $1.count } }
}
