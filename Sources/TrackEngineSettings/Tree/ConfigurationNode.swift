import TrackEngine

/// A part of a configuration as it was given, before its interpretation.
public struct ConfigurationNode: Sendable, Hashable {
    /// The content.
    public var content: Content
    /// The origin of the value.
    public var origin: ConfigurationOrigin

    /// A value with its origin.
    public init(_ content: Content, _ origin: ConfigurationOrigin) {
        self.content = content
        self.origin = origin
    }

    /// The three shapes of YAML and JSON.
    public enum Content: Sendable, Hashable {
        /// A single value.
        case scalar(Scalar)
        /// Values in order.
        case list([ConfigurationNode])
        /// Values under keys, in the order in which they were given.
        case table([Member])
    }

    /// A single value: its text, and whether it was quoted and so can only be text.
    public struct Scalar: Sendable, Hashable {
        /// The text, without its quotes.
        public var text: String
        /// Whether the value was quoted, so that it can only be text.
        public var isQuoted: Bool

        /// A single value.
        public init(_ text: String, isQuoted: Bool = false) {
            self.text = text
            self.isQuoted = isQuoted
        }
    }

    /// A key with its value.
    public struct Member: Sendable, Hashable {
        /// The key, as it was given.
        public var key: String
        /// The value.
        public var node: ConfigurationNode

        /// A key with its value.
        public init(key: String, node: ConfigurationNode) {
            self.key = key
            self.node = node
        }
    }

    /// Whether the value is null: `null`, `~` or an empty value.
    package var isNull: Bool {
        guard case .scalar(let scalar) = content, !scalar.isQuoted else { return false }
        return ["", "~", "null"].contains(scalar.text)
    }

    /// The text of a single value that is not null.
    package var text: String? {
        guard case .scalar(let scalar) = content, !isNull else { return nil }
        return scalar.text
    }

    /// The text of a single value that is not quoted, for numbers and words.
    package var word: String? {
        guard case .scalar(let scalar) = content, !scalar.isQuoted, !isNull else { return nil }
        return scalar.text
    }

    /// A quoted single value without its quotes; `nil` for any other value.
    var withoutQuotes: ConfigurationNode? {
        guard case .scalar(var scalar) = content, scalar.isQuoted else { return nil }
        scalar.isQuoted = false
        var node = self
        node.content = .scalar(scalar)
        return node
    }

    /// The keys and values; `nil` for other shapes.
    package var members: [Member]? {
        guard case .table(let members) = content else { return nil }
        return members
    }

    /// The elements; `nil` for other shapes.
    package var elements: [ConfigurationNode]? {
        guard case .list(let elements) = content else { return nil }
        return elements
    }

    /// The form for messages: numbers and words as they are, other text quoted and cut, shapes as `[…]` and `{…}`.
    package var shown: String {
        switch content {
        case .list: return "[…]"
        case .table: return "{…}"
        case .scalar(let scalar):
            if isNull { return "null" }
            let isPlain = !scalar.isQuoted && (scalar.text.isNumber || ["true", "false"].contains(scalar.text))
            if isPlain { return scalar.text }
            return (scalar.isQuoted ? scalar.text : scalar.text.withoutForgottenBlank).quoted(atMost: 80)
        }
    }
}

extension String {
    /// Whether the text could be meant as a number.
    fileprivate var isNumber: Bool {
        utf8.count <= 40 && Double(self) != nil && utf8.allSatisfy { !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0) }
    }
}
