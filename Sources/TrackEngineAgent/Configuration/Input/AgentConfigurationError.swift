package import TrackEngineSettings

/// A configuration that the agent cannot use, with all its problems. No part of it has been applied.
package struct AgentConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// All problems, at least one, in the order of the file.
    package let problems: [ReportedProblem]
    /// The configured log format, as far as it can be read; `nil` if it was not determined.
    private(set) var logFormat: LogSettings.Format?

    /// An error of one problem.
    package init(_ problem: ReportedProblem) {
        problems = [problem]
    }

    /// An error of several problems, each once, in the order of the file.
    package init(_ problems: [ReportedProblem]) {
        var told: Set<ReportedProblem> = []
        let ranked = problems.filter { told.insert($0).inserted }.enumerated().sorted { left, right in
            (left.element.origin.rank, left.offset) < (right.element.origin.rank, right.offset)
        }
        self.problems = ranked.map(\.element)
    }

    /// The error with the log format in which it is to be reported.
    func told(as format: LogSettings.Format) -> AgentConfigurationError {
        var error = self
        error.logFormat = format
        return error
    }

    /// One line per problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ProblemReport {
    /// Ends the decoding.
    ///
    /// - Throws: all reported problems.
    func finish() throws(AgentConfigurationError) {
        guard problems.isEmpty else { throw AgentConfigurationError(problems) }
    }
}
