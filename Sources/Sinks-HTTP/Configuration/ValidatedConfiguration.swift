import HTTPDelivery
import NIOSSL
package import TrackEngine
import TrackEngineSettings

/// A configuration in which everything has been looked at, in the form in which it is used.
struct ValidatedConfiguration: Sendable {
    let endpoint: Endpoint
    let headers: [(name: String, value: String)]
    let success: OverlandSink.Configuration.SuccessRule
    let tls: TLSConfiguration
    /// Texts that must not show, should the receiver repeat them.
    let secrets: [String]

    /// Looks at everything and reports all that is wrong at once.
    init(_ configuration: OverlandSink.Configuration, id: SinkID) throws(ConfigurationError) {
        var check = ConfigurationCheck()
        if id.rawValue.isEmpty { check.problem("id", "(empty)", "a name for the sink") }
        let endpoint = check.rules(of: configuration)
        let tls = check.tls(configuration.tls.files)
        try check.finish()
        guard let endpoint else { throw ConfigurationError(problems: []) }  // unreachable: its absence is a problem
        self.endpoint = endpoint
        self.tls = tls
        headers = RequestHeaders.fields(of: configuration)
        success = configuration.success ?? configuration.profile.success
        secrets = Self.secrets(of: configuration, endpoint)
    }

    /// Tokens, passwords and the values of fields and of the query, as they stand and decoded; the longest first, so that
    /// none is hidden only in part.
    static func secrets(of configuration: OverlandSink.Configuration, _ endpoint: Endpoint) -> [String] {
        var secrets = configuration.headers.map(\.value.revealed)
        if let token = configuration.token { secrets.append(token.revealed) }
        if let basic = configuration.basicAuthentication {
            secrets.append(basic.password.revealed)
            secrets.append(Base64.encoded("\(basic.user):\(basic.password.revealed)".utf8))
        }
        if endpoint.target.count > 1 { secrets.append(endpoint.target) }
        for item in endpoint.target.split(separator: "?").dropFirst().joined(separator: "?").split(separator: "&") {
            let value = item.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
            secrets += [value, PercentEncoding.decoded(value) ?? ""]
        }
        return secrets.filter { $0.count > 2 }.sorted { $0.count > $1.count }
    }

    /// The header fields of a configuration whose credentials are new.
    static func headers(
        of configuration: OverlandSink.Configuration
    ) throws(ConfigurationError) -> [(name: String, value: String)] {
        var check = ConfigurationCheck()
        check.credentials(of: configuration)
        check.headers(of: configuration)
        try check.finish()
        return RequestHeaders.fields(of: configuration)
    }
}

extension OverlandSink.Configuration {
    /// Everything that is wrong with it, as far as it can be told without reading a file.
    package var problems: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        _ = check.rules(of: self)
        return check.problems
    }

    /// How long an exchange may take, in milliseconds.
    package static let timeouts = CalmGeoConfiguration.httpTimeouts
}

extension ConfigurationCheck {
    /// What holds whatever the files say; `nil` for an address that is none.
    fileprivate mutating func rules(of configuration: OverlandSink.Configuration) -> Endpoint? {
        let endpoint = endpoint(configuration.url, allowInsecure: configuration.allowInsecure)
        text("deviceID", configuration.deviceID.rawValue, .receiverDevice)
        credentials(of: configuration)
        headers(of: configuration)
        limits(of: configuration)
        pair(of: configuration.tls)
        if endpoint?.origin.scheme == .http, configuration.tls != .init() {
            problem("tls", "{…}", "an https address for it")
        }
        return endpoint
    }

    private mutating func pair(of tls: OverlandSink.Configuration.TLSOptions) {
        switch (tls.certificateFile, tls.keyFile) {
        case (nil, nil), (_?, _?): break
        case (let file?, nil): problem("tls.certificateFile", file, "a tls.keyFile beside it")
        case (nil, let keyFile?): problem("tls.keyFile", keyFile, "a tls.certificateFile beside it")
        }
    }

    fileprivate mutating func credentials(of configuration: OverlandSink.Configuration) {
        if let token = configuration.token {
            let isVisible = token.revealed.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
            if token.revealed.isEmpty || token.revealed.utf8.count > 8192 || !isVisible {
                problem("token", "\(token)", "1 to 8192 printable ASCII characters without blanks")
            }
        }
        if let basic = configuration.basicAuthentication {
            if !TextRule.user.isSatisfied(by: basic.user) {
                problem("basicAuthentication", "***", "a user of \(TextRule.user.expectation)")
            }
            let password = basic.password.revealed.utf8
            if password.count > 4096 || password.contains(where: { $0 < 0x20 }) {
                problem("basicAuthentication", "***", "a password of at most 4096 bytes without control characters")
            }
            if configuration.token != nil {
                problem("basicAuthentication", "***", "either this or token: both set Authorization")
            }
        }
    }

    fileprivate mutating func headers(of configuration: OverlandSink.Configuration) {
        let limit = HeaderField.maximumCount
        if configuration.headers.count > limit {
            problem("headers", "\(configuration.headers.count)", "at most \(limit)")
        }
        let names = HeaderField.problems(ofNames: configuration.headers.map(\.name))
        let hasCredentials = configuration.token != nil || configuration.basicAuthentication != nil
        for (field, expectation) in zip(configuration.headers, names).prefix(limit) {
            let key = "headers.\(field.name.filter { $0.isASCII && $0 > " " }.prefix(40))"
            let name = field.name.lowercased()
            if let expectation { problem(key, "\(field.value)", expectation) }
            if !field.hasValidValue { problem(key, "\(field.value)", "one line of at most 8192 bytes") }
            if name == "authorization", hasCredentials {
                problem(key, "\(field.value)", "either this or token or basicAuthentication: all set Authorization")
            }
        }
    }

    fileprivate mutating func limits(of configuration: OverlandSink.Configuration) {
        let timeouts = OverlandSink.Configuration.timeouts
        let shortest = Duration.milliseconds(timeouts.lowerBound)
        if configuration.httpTimeout < shortest || configuration.httpTimeout > .milliseconds(timeouts.upperBound) {
            problem("httpTimeout", configuration.httpTimeout.inWords, "0.1 to 600 seconds")
        }
        if let accuracy = configuration.assumedAccuracy { range("assumedAccuracy", accuracy, 1...100_000, "metres") }
        if case .bodyContains("") = configuration.success {
            problem("success", "(empty)", "a text that the reply must contain")
        }
    }
}
