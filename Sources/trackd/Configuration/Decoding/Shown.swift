import Yams

/// A value of the effective configuration, on its way to a reader: it can be compared in full and printed with its
/// secrets masked.
package indirect enum Shown: Sendable, Hashable {
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
    package struct Member: Sendable, Hashable {
        package let key: String
        package let value: Shown
    }

    static func table<Section>(_ fields: [Field<Section>], of section: Section) -> Shown {
        .table(fields.map { Member(key: $0.name, value: $0.show(section)) })
    }

    /// Every value that is no list and no table, under its full key; elements of lists that have a name are called by it.
    func leaves(_ path: String = "") -> [(key: String, value: Shown)] {
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

// MARK: As YAML

extension Shown {
    /// The value as YAML, which reads back to the same value but for what is masked.
    package var yaml: String {
        // Emitting fails only when memory does.
        (try? Yams.serialize(node: node, width: -1, allowUnicode: true)) ?? ""
    }

    private var node: Node {
        switch self {
        case .word(let word): Node(word, .implicit, .plain)
        case .text(let text): Node(text, .implicit, text.needsQuotes ? .doubleQuoted : .plain)
        case .masked(_, let text): Node(text, .implicit, .doubleQuoted)
        case .secret(let reference): reference.node
        case .list(let elements):
            Node(elements.map(\.node), .implicit, elements.isEmpty ? .flow : .block)
        case .table(let members):
            Node(
                members.map { (Node($0.key, .implicit, $0.key.needsQuotes ? .doubleQuoted : .plain), $0.value.node) },
                .implicit, members.isEmpty ? .flow : .block)
        }
    }
}

extension SecretReference {
    fileprivate var node: Node {
        func reference(_ key: String, _ value: String) -> Node {
            Node([(Node(key), Node(value, .implicit, .doubleQuoted))], .implicit, .flow)
        }
        return switch self {
        case .file(let path): reference("file", path)
        case .environment(let name): reference("env", name)
        case .credential(let name): reference("credential", name)
        case .literal: Node("***", .implicit, .doubleQuoted)
        }
    }
}

extension String {
    /// Whether YAML could take the text for anything else when it stands there without quotes.
    fileprivate var needsQuotes: Bool {
        guard let first = utf8.first else { return true }
        let isPlain = utf8.allSatisfy { $0.isAlphanumeric || "-_./".utf8.contains($0) }
        let beginsLikeWord = first == UInt8(ascii: "/") || first.isAlphanumeric && first > UInt8(ascii: "9")
        let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        return !isPlain || !beginsLikeWord || words.contains(lowercased())
    }
}
