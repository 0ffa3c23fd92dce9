extension Endpoint {
    /// The address with the values of its query as three stars: receivers put tokens there.
    package var masked: String {
        guard let query else { return text }
        let parameters = query.split(separator: "&", omittingEmptySubsequences: false).map { parameter in
            let name: Substring = parameter.prefix { $0 != "=" }
            return name.count == parameter.count ? "***" : "\(name)=***"
        }
        return "\(text.prefix { $0 != "?" })?\(parameters.joined(separator: "&"))"
    }

    /// Whether a parameter's name says that its value is a secret, as in `?token=…` and `?api_key=…`.
    package var hasSecretQuery: Bool {
        (query ?? "").split(separator: "&").contains { String($0.prefix { $0 != "=" }).soundsSecret }
    }

    private var query: Substring? {
        target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
    }
}

extension String {
    /// Whether a header field or a parameter of this name is likely to hold a secret.
    package var soundsSecret: Bool {
        let name = lowercased()
        return ["auth", "token", "key", "secret", "cookie", "password", "session"].contains { name.contains($0) }
    }
}
