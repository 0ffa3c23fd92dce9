/// A text that must not appear in a log, error or dump.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text itself, for the one place that needs it.
    public let revealed: String

    /// Creates a secret from a text.
    public init(_ text: String) {
        revealed = text
    }

    /// Three asterisks.
    public var description: String { "***" }

    /// Three asterisks.
    public var debugDescription: String { "***" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
