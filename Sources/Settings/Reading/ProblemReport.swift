package import TrackEngine

/// Collects what is wrong while a configuration is decoded, so that a user sees all of it at once.
///
/// It belongs to one decoding and never leaves it.
package final class ProblemReport {
    package private(set) var problems: [LocatedProblem] = []
    /// Whether secrets may stand in the configuration file itself: nobody but its owner can read it.
    package var allowsSecretsInFile = false

    /// What the names of the program's environment variables begin with, `TRACKD_`, for messages that name one.
    package var variablePrefix = ""

    package init() {}

    /// Takes a problem. A value that was refused is missing afterwards, which is not told, too.
    package func add(_ problem: LocatedProblem) {
        if problem.isOfAbsence, problems.contains(where: { $0.key == problem.key }) { return }
        problems.append(problem)
    }
}

/// Something wrong with a configuration, and where.
package struct LocatedProblem: Sendable, Hashable, CustomStringConvertible {
    /// Where the value was given.
    package let origin: ConfigurationOrigin
    /// What is wrong: `key = value: expected …`, with secrets masked.
    package let message: String
    /// The same without the value, `key: expected …`, for places where that would not be private.
    package let withoutValue: String
    /// The key; `nil` where it is not about one.
    let key: String?
    /// Whether the value is missing.
    let isOfAbsence: Bool

    package init(_ origin: ConfigurationOrigin, _ problem: ConfigurationProblem) {
        self.origin = origin
        message = problem.description
        withoutValue = "\(problem.key): expected \(problem.expectation)"
        key = problem.key
        isOfAbsence = problem.value == "(missing)"
    }

    /// A problem that is not one of a key, for example a file that cannot be read.
    package init(_ origin: ConfigurationOrigin, _ message: String) {
        self.origin = origin
        self.message = message
        withoutValue = message
        (key, isOfAbsence) = (nil, false)
    }

    /// `trackd.yaml:12: tracking.distanceFilter = "abc": expected 0 to 100000 metres`
    package var description: String { origin == .none ? message : "\(origin): \(message)" }
}
