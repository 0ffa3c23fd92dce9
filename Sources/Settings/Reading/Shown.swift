import TrackEngine

/// A value of the effective configuration, on its way to a reader: it can be compared in full and printed with its
/// secrets masked.
public indirect enum Shown: Sendable, Hashable {
    /// A number, `true`, `false` or `null`.
    case word(String)
    /// A text.
    case text(String)
    /// Where a secret is kept, or the secret itself, which is printed as `***`.
    case secret(SecretReference)
    /// A text that holds something secret, and what is printed for it.
    case masked(String, as: String)
    /// Values in order.
    case list([Shown])
    /// Values under keys, in order.
    case table([Member])

    /// A key with its value.
    public struct Member: Sendable, Hashable {
        /// The key.
        public let key: String
        /// What stands under it.
        public let value: Shown

        /// A key with its value.
        public init(key: String, value: Shown) {
            self.key = key
            self.value = value
        }
    }

    /// A section as its fields show it.
    public static func table<Section>(_ fields: [Field<Section>], of section: Section) -> Shown {
        .table(fields.map { Member(key: $0.name, value: $0.show(section)) })
    }

    /// Every value that is no list and no table, under its full key; elements of lists that have a name are called by it.
    public func leaves(_ path: String = "") -> [(key: String, value: Shown)] {
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
