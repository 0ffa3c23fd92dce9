/// An unusable value.
public struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
    /// The key, in the user's spelling.
    public let key: String
    /// The value as given; secrets are masked.
    public let value: String
    /// The expected value, with unit and bounds.
    public let expectation: String

    /// Creates a problem.
    public init(key: String, value: String, expectation: String) {
        self.key = key
        self.value = value
        self.expectation = expectation
    }

    /// `key = value: expected …`
    public var description: String { "\(key) = \(value): expected \(expectation)" }
}

/// A configuration that cannot be used, with all its problems. No part of it has been applied.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Every problem, at least one.
    public let problems: [ConfigurationProblem]

    /// Creates an error from problems.
    public init(problems: [ConfigurationProblem]) {
        self.problems = problems
    }

    /// Creates an error from the only problem.
    package init(_ key: String, _ value: String, _ expectation: String) {
        self.init(problems: [ConfigurationProblem(key: key, value: value, expectation: expectation)])
    }

    /// One line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects problems, so that a user sees all of them at once.
package struct ConfigurationCheck: Sendable {
    package var problems: [ConfigurationProblem] = []

    package init() {}

    /// The problems that some rules find.
    package static func problems(_ rules: (inout ConfigurationCheck) -> Void) -> [ConfigurationProblem] {
        var check = ConfigurationCheck()
        rules(&check)
        return check.problems
    }

    package mutating func problem(_ key: String, _ value: String, _ expectation: String) {
        problems.append(ConfigurationProblem(key: key, value: value, expectation: expectation))
    }

    package mutating func range<Value: Comparable>(
        _ key: String, _ value: Value, _ range: ClosedRange<Value>, _ unit: String = ""
    ) {
        guard !range.contains(value) else { return }
        problem(key, "\(value)", "\(range.lowerBound) to \(range.upperBound)" + (unit.isEmpty ? "" : " \(unit)"))
    }

    package mutating func positive(_ key: String, _ value: Double?, upTo bound: Double, _ unit: String) {
        guard let value, !(value > 0 && value <= bound) else { return }
        problem(key, "\(value)", "above 0 and up to \(bound)" + (unit.isEmpty ? "" : " \(unit)"))
    }

    package mutating func seconds(_ key: String, _ value: Duration?, _ range: ClosedRange<Int64>) {
        seconds(key, value, within: Double(range.lowerBound)...Double(range.upperBound))
    }

    /// The same for bounds with fractions, down to a millisecond.
    package mutating func seconds(_ key: String, _ value: Duration?, within range: ClosedRange<Double>) {
        let (least, most) = (Duration.inSeconds(range.lowerBound), Duration.inSeconds(range.upperBound))
        guard let value, value < least || value > most else { return }
        problem(key, value.inWords, "\(least.inWords.dropLast(2)) to \(most.inWords.dropLast(2)) seconds")
    }

    package func finish() throws(ConfigurationError) {
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }
}

extension Duration {
    /// Returns a duration of this many seconds, to the nanosecond, which rounds decimal fractions correctly.
    fileprivate static func inSeconds(_ seconds: Double) -> Duration { .nanoseconds(Int64((seconds * 1e9).rounded())) }

    /// The duration in seconds in a readable form: `60 s`, `0.25 s`.
    package var inWords: String {
        var text: [UInt8] = []
        text.appendFixed(inSeconds, decimals: 3)
        return String(decoding: text, as: UTF8.self) + " s"
    }
}
