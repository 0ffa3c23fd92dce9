import TrackEngine
package import TrackEngineSettings

extension OverlandSettings {
    /// What the sink's own rules find wrong, with stand-ins for what is known only when it is made.
    package mutating func check(_ table: inout TableDecoder) {
        let isReadable = Endpoint(ifReadable: url) != nil  // what is missing or malformed was reported when it was read
        let draft = configuration(device: "device", credentials: standIns)
        for problem in draft.problems where isReadable || problem.key != "url" {
            table.reject(inWordsOfSettings(problem))
        }
    }

    /// Secrets that satisfy the rules for secrets, where there are to be some.
    var standIns: OverlandSink.Credentials {
        let secret = Secret("x")
        var credentials = OverlandSink.Credentials()
        if token != nil { credentials.token = secret }
        credentials.basicAuthentication = basicAuth.map { .init(user: $0.user, password: secret) }
        credentials.headers = headers.map { HeaderField(name: $0.name, value: secret) }
        return credentials
    }

    /// A problem of the sink's configuration under the keys of the settings, with what can be done about it there.
    func inWordsOfSettings(_ problem: ConfigurationProblem) -> ConfigurationProblem {
        switch problem.key {
        case "url":
            // Read before, so it can only be one that is not allowed.
            ConfigurationProblem(
                key: "url", value: Endpoint.masked(url).quoted(atMost: 200),
                expectation: "https, or allowInsecure: true to send in the clear")
        case "basicAuthentication" where token != nil:
            ConfigurationProblem(
                key: "basicAuth", value: "***",
                expectation: "either token or basicAuth, both set the Authorization header")
        case "basicAuthentication":
            ConfigurationProblem(key: "basicAuth", value: "***", expectation: problem.expectation)
        case "tls":
            ConfigurationProblem(
                key: "tls", value: problem.value, expectation: "\(problem.expectation), url is \(Endpoint.masked(url))")
        case "tls.certificateFile" where tls.key == nil, "tls.keyFile" where tls.certificate == nil:
            ConfigurationProblem(key: "tls", value: "{…}", expectation: "both certificate and key, or neither")
        case let key where TLSFiles.key(ofOption: key) != nil:
            ConfigurationProblem(
                key: TLSFiles.key(ofOption: key) ?? key, value: problem.value, expectation: problem.expectation)
        case let key where key.lowercased() == "headers.authorization":
            ConfigurationProblem(
                key: "headers", value: "{Authorization: ***}", expectation: "no Authorization beside token or basicAuth"
            )
        case _: problem
        }
    }
}
