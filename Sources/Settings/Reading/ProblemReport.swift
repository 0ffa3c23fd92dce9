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

    package func add(_ problem: LocatedProblem) {
        problems.append(problem)
    }
}
