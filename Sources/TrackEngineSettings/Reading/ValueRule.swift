import TrackEngine

/// A rule for values: how they are read, and the expectation in messages and the reference.
public struct ValueRule<Value>: Sendable {
    /// The kind of the value.
    public let kind: ValueKind
    /// The expectation for a value, with bounds and unit, in words that complete "expected …".
    public let expectation: String
    /// Reads a value; `nil` if it does not satisfy the rule.
    public let parse: @Sendable (ConfigurationNode) -> Value?

    /// A rule.
    ///
    /// - Parameters:
    ///   - kind: the kind of the value.
    ///   - expectation: the expectation for a value, in words that complete "expected …".
    ///   - parse: reads a value; `nil` if it does not satisfy the rule.
    public init(
        _ kind: ValueKind, _ expectation: String, parse: @escaping @Sendable (ConfigurationNode) -> Value?
    ) {
        self.kind = kind
        self.expectation = expectation
        self.parse = parse
    }
}

extension ValueRule {
    /// An addition to the message for a value that is nearly valid; `nil` for any other value.
    func hint(_ node: ConfigurationNode) -> String? {
        if node.withoutQuotes.flatMap(parse) != nil { return ", without quotes" }
        switch kind {
        case .wholeNumber where node.number.map { $0 != $0.rounded() } == true: return ", a whole number"
        case .wholeNumber where node.number != nil && node.word?.contains { ".eE".contains($0) } == true:
            return ", in digits alone"
        case .number where Value.self == Duration.self && node.isNumberWithUnit:
            return Duration(written: node.text ?? "") == nil ? ", as a number or such as 90s, 15m, 2h or 1d" : nil
        case .wholeNumber, .number: return node.isNumberWithUnit ? ", the number alone" : nil
        case .flag, .word, .text, .size, .time, .secret, .list, .table: return nil
        }
    }
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
    /// Seconds within a range, or a number with a unit such as `15m`; fractions are allowed.
    public static func seconds(_ range: ClosedRange<Double>) -> ValueRule {
        let number = ValueRule<Double>.number(range, "seconds")
        return ValueRule(number.kind, number.expectation) { node in
            if let seconds = number.parse(node) { return .nanoseconds(Int64((seconds * 1e9).rounded())) }
            guard let text = node.text, text.last?.isLetter == true, let duration = Duration(written: text),
                range.contains(duration / .seconds(1))
            else { return nil }
            return duration
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
    /// One of the words of an enum.
    public static var choice: ValueRule {
        ValueRule(.word, Value.allCases.map(\.rawValue).inWords) { node in node.text.flatMap(Value.init(rawValue:)) }
    }
}

extension ValueRule where Value: Equatable & Sendable {
    /// One of some words, each of which stands for a value.
    static func words(_ words: [(String, Value)]) -> ValueRule {
        ValueRule(.word, words.map(\.0).inWords) { node in words.first { $0.0 == node.text }?.1 }
    }
}

extension ConfigurationValue {
    /// The word that stands for a value.
    static func word<Value: Equatable>(of value: Value, in words: [(String, Value)]) -> ConfigurationValue {
        words.first { $0.1 == value }.map { .text($0.0) } ?? .word("null")
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

extension ConfigurationNode {
    /// A finite decimal number; `nil` for quoted text.
    package var number: Double? {
        guard let word, word.utf8.count <= 40,
            word.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.eE".utf8.contains($0) }),
            let number = Double(word), number.isFinite
        else { return nil }
        return number
    }

    /// Whether a single value is a number followed by letters or signs, such as `50m` or `1 min`.
    fileprivate var isNumberWithUnit: Bool {
        guard let text, text.utf8.count <= 40 else { return false }
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        return Double(digits) != nil && !unit.isEmpty && unit.allSatisfy { $0.isLetter || "%°/²".contains($0) }
    }
}

extension Double {
    /// The written form: whole numbers without a fraction.
    package var written: String {
        self == rounded() && magnitude < 1e15 ? "\(Int64(self))" : "\(self)"
    }
}

extension String {
    /// The text, followed by a unit if it is not empty.
    package func followed(by unit: String) -> String { unit.isEmpty ? self : "\(self) \(unit)" }
}
