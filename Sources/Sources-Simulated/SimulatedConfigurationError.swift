/// Everything that is wrong with a ``SimulatedConfiguration``.
public struct SimulatedConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One wrong value.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The name of the value, as in the configuration.
        public let key: String
        /// What was given.
        public let value: String
        /// What would have been right.
        public let expectation: String

        init(_ key: String, _ value: String, _ expectation: String) {
            self.key = key
            self.value = value
            self.expectation = expectation
        }

        /// `rate = 11: expected 1 to 10`
        public var description: String { "\(key) = \(value): expected \(expectation)" }
    }

    /// All wrong values, at least one.
    public let problems: [Problem]

    init(_ problems: [Problem]) {
        self.problems = problems
    }

    /// One line for each problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
