/// A law that a source, a sink or a store has broken, as a value: a test reports it, and a test of the laws themselves
/// expects it from a mutant.
public struct LawViolation: Sendable, Hashable, CustomStringConvertible {
    /// The law's name.
    public let law: String
    /// What was seen that the law forbids.
    public let seen: String

    /// Makes a violation.
    public init(law: String, seen: String) {
        self.law = law
        self.seen = seen
    }

    /// Makes a violation.
    public init(_ law: String, _ seen: String) {
        self.init(law: law, seen: seen)
    }

    /// The law and what was seen.
    public var description: String { "\(law): \(seen)" }
}
