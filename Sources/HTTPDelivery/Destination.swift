package import NIOSSL
package import TrackEngine
package import TrackEngineSettings

/// Where a sink sends to, from a configuration in which everything has been looked at.
package struct Destination: Sendable {
    /// The receiver's address.
    package let endpoint: Endpoint
    /// Whom to trust there, and who we are.
    package let tls: TLSConfiguration

    /// Looks at everything and reports all that is wrong at once.
    ///
    /// - Parameters:
    ///   - id: the sink's name.
    ///   - files: the files for TLS, which are read here.
    ///   - rules: what holds whatever the files say; returns the address, or `nil` for one that it has reported.
    package init(
        of id: SinkID, _ files: TLSFiles, rules: (inout ConfigurationCheck) -> Endpoint?
    ) throws(ConfigurationError) {
        var check = ConfigurationCheck()
        if id.rawValue.isEmpty { check.problem("id", "(empty)", "a name for the sink") }
        let endpoint = rules(&check)
        let tls = check.tls(files)
        try check.finish()
        guard let endpoint else { throw ConfigurationError(problems: []) }  // unreachable: its absence is a problem
        self.endpoint = endpoint
        self.tls = tls
    }
}

extension Endpoint {
    /// Texts that must not show, should the receiver repeat them: path and query, and each token of the path and each value
    /// of the query as it stands and decoded.
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
    /// These texts in the order in which to hide them: the longest first, so that none is hidden only in part. A text of one or
    /// two characters is no secret, and would leave nothing readable.
    package var hidingOrder: [String] { filter { $0.count > 2 }.sorted { $0.count > $1.count } }
}
