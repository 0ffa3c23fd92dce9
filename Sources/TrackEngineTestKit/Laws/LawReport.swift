/// The examination of a plugin by the laws of its protocol: ``SourceLaws``, ``RecordedSourceLaws``, ``SinkLaws`` and
/// ``StoreLaws``.
///
/// All are made with what they examine, and asked in one way:
///
/// ```swift
/// let report = try await laws.report()
/// #expect(report.violations == [], "\(report)")
/// ```
public protocol Laws: Sendable {
    /// What an examination sees, law by law, those included that could not be examined.
    ///
    /// - Throws: what makes the plugin under examination throws. The plugin's own errors are judged, not thrown.
    func report() async throws -> LawReport
}

extension Laws {
    /// The violations alone; none for a plugin that keeps the laws.
    ///
    /// - Throws: as ``report()``.
    public func violations() async throws -> [LawViolation] { try await report().violations }
}

/// What an examination has seen, law by law; print it to read it.
public struct LawReport: Sendable, Hashable, CustomStringConvertible {
    /// A law and what has become of it.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// What has become of a law.
        public enum Verdict: Sendable, Hashable {
            /// The plugin keeps it.
            case kept
            /// The plugin, or the bench that it is examined on, does not have what it takes.
            case notExamined
            /// The plugin breaks it.
            case violated
        }

        /// The law's name, or the law as a sentence.
        public let law: String
        /// What has become of it.
        public let verdict: Verdict
        /// What was seen.
        public let seen: String

        /// The verdict, the law and what was seen, in one line.
        public var description: String {
            switch verdict {
            case .kept: "kept: \(law)" + (seen.isEmpty ? "" : ": \(seen)")
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

extension LawReport {
    /// The violations, and behind them the other laws: not examined for a reason, or kept.
    init<Law: RawRepresentable<String> & CaseIterable>(
        _ found: [LawViolation], of laws: Law.Type, notExamined reason: (Law) -> String?
    ) {
        let others = Law.allCases.filter { law in !found.contains { $0.law == law.rawValue } }
        findings =
            found.map { Finding(law: $0.law, verdict: .violated, seen: $0.seen) }
            + others.map { law in
                let reason = reason(law)
                return Finding(law: law.rawValue, verdict: reason == nil ? .kept : .notExamined, seen: reason ?? "")
            }
    }
}

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

/// Gathers what a law sees.
struct LawWitness {
    let law: String
    private(set) var violations: [LawViolation] = []

    init(_ law: StoreLaws.Law) { self.law = law.rawValue }

    mutating func expect(_ isKept: Bool, _ seen: @autoclosure () -> String) {
        if !isKept { violations.append(LawViolation(law, seen())) }
    }

    /// Expects two values to be equal and shows both when they are not.
    mutating func expect<Value: Equatable>(_ what: String, _ seen: Value, is expected: Value) {
        expect(seen == expected, "\(what): expected \(expected), saw \(seen)")
    }
}
