import TrackEngine
import TrackEngineSettings

extension Field where Section: AuthenticationSettings {
    /// The bearer token.
    static var token: Field { .secret("token", \.token).meaning("The bearer token.") }

    /// `{user: …, password: …}`
    static var basicAuth: Field {
        Field(
            "basicAuth", .table, "user and password under it", isOptional: true,
            parts: { _ in
                [
                    KeyDescription(
                        key: "user", meaning: "The name to log in with.", kind: .text,
                        expectation: TextRule.user.expectation),
                    KeyDescription(
                        key: "password", meaning: "The password to log in with.", kind: .secret,
                        expectation: TableDecoder.secretExpectation),
                ]
            },
            read: { table, sink in
                guard let node = table.node("basicAuth"), !node.isNull else { return }
                guard node.members != nil else {
                    return table.reject("basicAuth", "***", "user and password under it")
                }
                sink.basicAuth = table.table("basicAuth") { part in
                    let user = part.text("user", .user, masking: true)
                    let password = part.secret("password")
                    if part.node("user") == nil { part.reject("user", nil, TextRule.user.expectation) }
                    if part.node("password") == nil { part.reject("password", nil, "a secret, such as {file: PATH}") }
                    guard let user, let password else { return nil }
                    return .init(user: user, password: password)
                }
            },
            show: { sink in
                guard let basicAuth = sink.basicAuth else { return .word("null") }
                return .table([
                    .init(key: "user", value: .text(basicAuth.user)),
                    .init(key: "password", value: .secret(basicAuth.password)),
                ])
            }
        ).meaning("User and password for HTTP basic authentication, instead of token.")
    }

    /// `{refreshUrl: …, clientID: …, clientSecret: …}`
    static var auth: Field {
        .table("auth", \.auth, TokenSettings.fields).meaning(
            "A token server, for tokens that expire; instead of token.")
    }

    /// Header fields by name; their values may be secrets.
    static var headers: Field {
        Field(
            "headers", .table, "at most \(HeaderField.maximumCount) names with texts or secrets",
            read: { table, sink in
                sink.headers = table.table("headers") { part in part.headers() }
            },
            show: { sink in .table(sink.headers.map { .init(key: $0.name, value: .secret($0.value)) }) }
        ).meaning("More header fields for each request, by name; their values may be secrets.")
    }
}

extension TableDecoder {
    fileprivate mutating func headers() -> [HeaderSettings] {
        let members = allMembers()
        let limit = HeaderField.maximumCount
        if members.count > limit {
            report.add(ReportedProblem(members[0].node.origin, "\(path): expected at most \(limit) fields"))
        }
        let problems = HeaderField.problems(ofNames: members.map(\.key))
        return zip(members, problems).prefix(limit).compactMap { member, expectation in
            let key = fullKey(member.key.shownAsKey)
            guard let expectation else {
                return headerValue(key, member).map { .init(name: member.key, value: $0) }
            }
            let problem = ConfigurationProblem(key: key, value: "***", expectation: expectation)
            report.add(ReportedProblem(member.node.origin, problem))
            return nil
        }
    }

    /// Reads the value of a header field. A field with a name that suggests a secret must refer to one; other values
    /// may be plain text in the file.
    private func headerValue(_ key: String, _ member: ConfigurationNode.Member) -> SecretReference? {
        if !member.key.soundsSecret, let text = member.node.text, TextRule.line.isSatisfied(by: text) {
            return .literal(Secret(text))
        }
        return secret(key, member.node)
    }
}
