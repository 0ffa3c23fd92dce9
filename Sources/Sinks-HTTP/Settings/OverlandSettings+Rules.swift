import TrackEngine
package import TrackEngineSettings

extension OverlandSettings {
    /// What the sink's own rules find wrong, with stand-ins for what is known only when it is made.
    package mutating func check(_ table: inout TableDecoder) {
        reject(configuration(device: "device", credentials: standIns).problems, in: &table)
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
        case "basicAuthentication" where token != nil:
            ConfigurationProblem(
                key: "basicAuth", value: "***",
                expectation: "either token or basicAuth, both set the Authorization header")
        case "basicAuthentication":
            ConfigurationProblem(key: "basicAuth", value: "***", expectation: problem.expectation)
        case let key where key.lowercased() == "headers.authorization":
            ConfigurationProblem(
                key: "headers", value: "{Authorization: ***}", expectation: "no Authorization beside token or basicAuth"
            )
        case _: inWordsOfSharedSettings(problem)
        }
    }
}
