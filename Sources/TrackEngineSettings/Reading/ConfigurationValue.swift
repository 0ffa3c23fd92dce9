import TrackEngine

/// A value of the effective configuration for display. It can be compared in full and printed with its secrets masked.
public indirect enum ConfigurationValue: Sendable, Hashable {
    /// A number, `true`, `false` or `null`.
    case word(String)
    /// A text.
    case text(String)
    /// The location of a secret, or the secret itself, which is printed as `***`.
    case secret(SecretReference)
    /// A text that contains a secret, and its printed form.
    case masked(String, as: String)
    /// Values in order.
    case list([ConfigurationValue])
    /// Values under keys, in order.
    case table([Member])

    /// A key with its value.
    public struct Member: Sendable, Hashable {
        /// The key.
        public let key: String
        /// The value.
        public let value: ConfigurationValue

        /// A key with its value.
        public init(key: String, value: ConfigurationValue) {
            self.key = key
            self.value = value
        }
    }

    /// The table of a section's fields.
    public static func table<Section>(_ fields: [Field<Section>], of section: Section) -> ConfigurationValue {
        .table(fields.map { Member(key: $0.name, value: $0.show(section)) })
    }

    /// Every value except lists and tables, under its full key; elements of lists that have a name are identified by
    /// it.
    public func leaves(_ path: String = "") -> [(key: String, value: ConfigurationValue)] {
        func under(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
        switch self {
        case .word, .text, .secret, .masked: return [(path, self)]
        case .list(let elements):
            return elements.enumerated().flatMap { $1.leaves(under($1.name ?? "\($0)")) }
        case .table(let members): return members.flatMap { $0.value.leaves(under($0.key)) }
        }
    }

    private var name: String? {
        guard case .table(let members) = self else { return nil }
        for member in members where member.key == "name" {
            if case .text(let name) = member.value { return name }
        }
        return nil
    }
}
