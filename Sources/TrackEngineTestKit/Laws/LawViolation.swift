/// A law that something does not keep, and what was seen instead.
public struct LawViolation: Sendable, Hashable, CustomStringConvertible {
    /// The law, as a sentence.
    public let law: String
    /// What was seen.
    public let seen: String

    /// Describes a violation.
    public init(_ law: String, _ seen: String) {
        self.law = law
        self.seen = seen
    }

    /// Law and observation in one line.
    public var description: String { "\(law): \(seen)" }
}
