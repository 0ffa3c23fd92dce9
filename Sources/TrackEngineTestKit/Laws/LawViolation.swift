/// A law that a plugin broke, and what it did instead.
public struct LawViolation: Sendable, Hashable, CustomStringConvertible {
    /// The law, as a sentence.
    public let law: String
    /// What was seen.
    public let seen: String

    /// Notes a broken law.
    public init(_ law: String, _ seen: String) {
        self.law = law
        self.seen = seen
    }

    /// Law and observation in one line.
    public var description: String { "\(law) — seen: \(seen)" }
}
