/// What an examination of a sink has seen, law by law; print it to read it.
public struct SinkReport: Sendable, Hashable, CustomStringConvertible {
    /// A law and what has become of it.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// What has become of a law.
        public enum Verdict: Sendable, Hashable {
            /// The sink keeps it.
            case kept
            /// The bench's receiver cannot be made to do what it takes.
            case notExamined
            /// The sink breaks it.
            case violated
        }

        /// The law, as a sentence of ``SinkLaws``.
        public let law: String
        /// What has become of it.
        public let verdict: Verdict
        /// What was seen.
        public let seen: String

        /// The verdict, the law and what was seen, in one line.
        public var description: String {
            switch verdict {
            case .kept: "kept: \(law): \(seen)"
            case .notExamined: "not examined: \(law): \(seen)"
            case .violated: "VIOLATED: \(law): \(seen)"
            }
        }
    }

    /// What was seen, in the order of the examination.
    public let findings: [Finding]

    /// The violations among the findings.
    public var violations: [LawViolation] {
        findings.filter { $0.verdict == .violated }.map { LawViolation($0.law, $0.seen) }
    }

    /// A line for each finding.
    public var description: String { findings.map(\.description).joined(separator: "\n") }
}
