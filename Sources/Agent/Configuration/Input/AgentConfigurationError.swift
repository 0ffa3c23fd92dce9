package import TrackEngineSettings

/// A configuration that the agent cannot use, with everything that is wrong with it. Nothing of it has been applied.
package struct AgentConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Every problem, at least one, in the order of the file.
    package let problems: [LocatedProblem]
    /// How the configuration wants messages to be written, as far as that can be read; `nil` where nobody has looked.
    package private(set) var logFormat: LogSettings.Format?

    /// An error of one problem.
    package init(_ problem: LocatedProblem) {
        problems = [problem]
    }

    /// An error of these problems, each once, in the order of the file.
    package init(_ problems: [LocatedProblem]) {
        var told: Set<LocatedProblem> = []
        let ranked = problems.filter { told.insert($0).inserted }.enumerated().sorted { left, right in
            (left.element.origin.rank, left.offset) < (right.element.origin.rank, right.offset)
        }
        self.problems = ranked.map(\.element)
    }

    /// The same, with the format in which it is to be told.
    func told(as format: LogSettings.Format) -> AgentConfigurationError {
        var error = self
        error.logFormat = format
        return error
    }

    /// One line a problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ProblemReport {
    /// Ends the decoding.
    ///
    /// - Throws: everything that was reported.
    func finish() throws(AgentConfigurationError) {
        guard problems.isEmpty else { throw AgentConfigurationError(problems) }
    }
}
