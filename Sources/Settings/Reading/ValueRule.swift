import TrackEngine

/// What a value must be like: how it is read, and what a message or the reference says was expected.
public struct ValueRule<Value>: Sendable {
    /// What sort of value it is.
    public let kind: ValueKind
    /// What a value must be like, with bounds and unit, in words that complete "expected …".
    public let expectation: String
    /// Reads a value; `nil` for one that is not like that.
    public let parse: @Sendable (ConfigurationNode) -> Value?

    /// A rule.
    ///
    /// - Parameters:
    ///   - kind: what sort of value it is.
    ///   - expectation: what a value must be like, in words that complete "expected …".
    ///   - parse: reads a value; `nil` for one that is not like that.
    public init(
        _ kind: ValueKind, _ expectation: String, parse: @escaping @Sendable (ConfigurationNode) -> Value?
    ) {
        self.kind = kind
        self.expectation = expectation
        self.parse = parse
    }
}

/// The sorts of values, as the reference names them.
public enum ValueKind: String, Sendable, Hashable, CaseIterable {
    /// A number without a fraction.
    case wholeNumber = "whole number"
    /// A number.
    case number
    /// `true` or `false`.
    case flag
    /// One of some words.
    case word
    /// A text.
    case text
    /// A number of bytes.
    case size
    /// A point in time.
    case time
    /// A secret, or where it is kept.
    case secret
    /// Values in order.
    case list
    /// Values under keys.
    case table
}

extension ValueRule where Value: FixedWidthInteger & Sendable {
    /// A whole number within a range.
    public static func integer(_ range: ClosedRange<Value>, _ unit: String = "") -> ValueRule {
        ValueRule(.wholeNumber, "\(range.lowerBound) to \(range.upperBound)".followed(by: unit)) { node in
            node.word.flatMap { Value($0) }.flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ValueRule<Double> {
    /// A number within a range.
    public static func number(_ range: ClosedRange<Double>, _ unit: String = "") -> ValueRule {
        ValueRule(.number, "\(range.lowerBound.written) to \(range.upperBound.written)".followed(by: unit)) { node in
            node.number.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A number above zero.
    public static func positive(upTo bound: Double, _ unit: String) -> ValueRule {
        ValueRule(.number, "above 0 and up to \(bound.written)".followed(by: unit)) { node in
            node.number.flatMap { $0 > 0 && $0 <= bound ? $0 : nil }
        }
    }
}

extension ValueRule<Duration> {
    /// Seconds within a range; fractions are allowed.
    public static func seconds(_ range: ClosedRange<Double>) -> ValueRule {
        let number = ValueRule<Double>.number(range, "seconds")
        return ValueRule(number.kind, number.expectation) { node in
            number.parse(node).map { .nanoseconds(Int64(($0 * 1e9).rounded())) }
        }
    }
}

extension ValueRule<Bool> {
    /// `true` or `false`.
    public static var flag: ValueRule {
        ValueRule(.flag, "true or false") { node in node.word.flatMap { Bool($0) } }
    }
}

extension ValueRule where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of the words that an enum knows.
    public static var choice: ValueRule {
        ValueRule(.word, Value.allCases.map(\.rawValue).inWords) { node in node.text.flatMap(Value.init(rawValue:)) }
    }
}

extension ValueRule<String> {
    /// A text that satisfies a rule.
    public static func text(_ rule: TextRule = .line) -> ValueRule {
        ValueRule(.text, rule.expectation) { node in
            guard let text = node.text, rule.isSatisfied(by: text) else { return nil }
            return text
        }
    }
}
