package import TrackEngine

/// Collects the problems found while a configuration is decoded, so that a user sees all of them at once.
///
/// It belongs to one decoding and never leaves it.
package final class ProblemReport {
    package private(set) var problems: [ReportedProblem] = []
    /// Whether the configuration file itself may contain secrets, because only its owner can read it.
    package var allowsSecretsInFile = false

    /// The prefix of the program's environment variables, `TRACKD_`, for messages that name one.
    package var variablePrefix = ""

    package init() {}

    /// Adds a problem. A missing value is not reported if the same key already has a problem: a rejected value is also
    /// missing.
    package func add(_ problem: ReportedProblem) {
        if problem.isOfAbsence, problems.contains(where: { $0.problem?.key == problem.problem?.key }) { return }
        problems.append(problem)
    }
}

/// A problem with a configuration, with its origin.
package struct ReportedProblem: Sendable, Hashable, CustomStringConvertible {
    /// The origin of the value.
    package let origin: ConfigurationOrigin
    /// The message: `key = value: expected …`, with secrets masked.
    package let message: String
    /// The message without the value, `key: expected …`, for output where the value would not be private.
    package let withoutValue: String
    /// The problem with a value; `nil` for one that does not concern a key.
    let problem: ConfigurationProblem?
    /// Whether the value is missing.
    let isOfAbsence: Bool

    package init(_ origin: ConfigurationOrigin, _ problem: ConfigurationProblem) {
        self.origin = origin
        message = problem.description
        withoutValue = "\(problem.key): expected \(problem.expectation)"
        self.problem = problem
        isOfAbsence = problem.value == "(missing)"
    }

    /// A problem that does not concern a key, for example an unreadable file.
    package init(_ origin: ConfigurationOrigin, _ message: String) {
        self.origin = origin
        self.message = message
        withoutValue = message
        (problem, isOfAbsence) = (nil, false)
    }

    /// `trackd.yaml:12: tracking.distanceFilter = "abc": expected 0 to 100000 metres`
    package var description: String { origin == .none ? message : "\(origin): \(message)" }
}
