package import TrackEngineSettings
import Yams

extension ConfigurationValue {
    /// The value as YAML, which reads back to the same value except for the masked parts.
    package var yaml: String { node.yaml ?? "" }

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

extension Node {
    /// The document as text; emitting fails only if memory does.
    var yaml: String? { try? Yams.serialize(node: self, width: -1, allowUnicode: true) }
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
    /// Whether YAML could interpret the text as another value if it is not quoted.
    fileprivate var needsQuotes: Bool {
        guard let first = utf8.first else { return true }
        let isPlain = utf8.allSatisfy { $0.isAlphanumeric || "-_./".utf8.contains($0) }
        let beginsLikeWord = first == UInt8(ascii: "/") || first.isAlphanumeric && first > UInt8(ascii: "9")
        let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        return !isPlain || !beginsLikeWord || words.contains(lowercased())
    }
}
