/// Collects what is wrong while a configuration is decoded, so that a user sees all of it at once.
///
/// It belongs to one decoding and never leaves it.
final class ProblemReport {
    private(set) var problems: [LocatedProblem] = []
    /// Whether secrets may stand in the configuration file itself: nobody but its owner can read it.
    var allowsSecretsInFile = false

    func add(_ problem: LocatedProblem) {
        problems.append(problem)
    }

    func finish() throws(AgentConfigurationError) {
        guard problems.isEmpty else { throw AgentConfigurationError(problems) }
    }
}
