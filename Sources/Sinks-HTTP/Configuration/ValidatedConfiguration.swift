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
        let destination = try Destination(of: id, configuration.tls.files) { $0.rules(of: configuration) }
        endpoint = destination.endpoint
        tls = destination.tls
        headers = RequestHeaders.fields(of: configuration)
        success = configuration.success ?? configuration.profile.success
        secrets = Self.secrets(of: configuration, endpoint)
    }

    /// Tokens, passwords and the values of fields and of the address.
    static func secrets(of configuration: OverlandSink.Configuration, _ endpoint: Endpoint) -> [String] {
        var secrets = configuration.headers.map(\.value.revealed)
        if let token = configuration.token { secrets.append(token.revealed) }
        if let basic = configuration.basicAuthentication {
            secrets.append(basic.password.revealed)
            secrets.append(Base64.encoded("\(basic.user):\(basic.password.revealed)".utf8))
        }
        return (secrets + endpoint.secrets).hidingOrder
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
}

extension ConfigurationCheck {
    /// What holds whatever the files say; `nil` for an address that is none.
    fileprivate mutating func rules(of configuration: OverlandSink.Configuration) -> Endpoint? {
        let endpoint = endpoint(configuration.url, allowInsecure: configuration.allowInsecure)
        text("deviceID", configuration.deviceID.rawValue, .receiverDevice)
        credentials(of: configuration)
        headers(of: configuration)
        limits(of: configuration)
        rules(of: configuration.tls.files, for: endpoint)
        return endpoint
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
        httpTimeout(configuration.httpTimeout)
        if let accuracy = configuration.assumedAccuracy { range("assumedAccuracy", accuracy, 1...100_000, "metres") }
        if case .bodyContains("") = configuration.success {
            problem("success", "(empty)", "a text that the reply must contain")
        }
    }
}
