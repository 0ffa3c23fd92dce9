import TrackEngine

extension TableDecoder {
    /// Reads one value; `nil` if it is absent or invalid. An invalid value is reported.
    public mutating func value<Value>(
        _ key: String, _ expectation: String, masking: Bool = false, _ parse: (ConfigurationNode) -> Value?
    ) -> Value? {
        guard let node = node(key) else { return nil }
        if let value = parse(node) { return value }
        reject(key, masking ? "***" : node.shown, expectation)
        return nil
    }

    /// Reads a value that must satisfy a rule; `nil` if it is absent or invalid. An invalid value is reported.
    public mutating func value<Value>(_ key: String, _ rule: ValueRule<Value>, masking: Bool = false) -> Value? {
        let hint = node(key).flatMap(rule.hint) ?? ""
        return value(key, rule.expectation + hint, masking: masking, rule.parse)
    }

    /// A whole number within a range.
    public mutating func integer<Value: FixedWidthInteger & Sendable>(
        _ key: String, _ range: ClosedRange<Value>, _ unit: String = ""
    ) -> Value? {
        value(key, .integer(range, unit))
    }

    /// A number within a range.
    public mutating func number(_ key: String, _ range: ClosedRange<Double>, _ unit: String = "") -> Double? {
        value(key, .number(range, unit))
    }

    /// A number above zero.
    public mutating func positive(_ key: String, upTo bound: Double, _ unit: String) -> Double? {
        value(key, .positive(upTo: bound, unit))
    }

    /// Seconds within a range.
    public mutating func seconds(_ key: String, _ range: ClosedRange<Double>) -> Duration? {
        value(key, .seconds(range))
    }

    /// `true` or `false`.
    public mutating func flag(_ key: String) -> Bool? { value(key, .flag) }

    /// One of the words of an enum.
    public mutating func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(_ key: String) -> Value? {
        value(key, .choice)
    }

    /// A text that satisfies a rule.
    public mutating func text(_ key: String, _ rule: TextRule = .line, masking: Bool = false) -> String? {
        value(key, .text(rule), masking: masking)
    }

    /// Whether the value is `null`, which switches an optional value off. The key counts as known afterwards.
    public mutating func isOff(_ key: String) -> Bool { node(key)?.isNull ?? false }
}
