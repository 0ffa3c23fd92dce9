/// A key of a section: its meaning, how it is read, and how it is shown.
///
/// A section is a table of fields. Decoding, `trackd check --show`, the suggestion for a misspelled key, the list of
/// changes at a reload, and the reference that `trackd explain` prints are all derived from it.
///
/// ```swift
/// .integer("channel", \.channel, 1...16).meaning("The radio channel on which the buoy sends."),
/// ```
public struct Field<Section>: Sendable {
    /// The key.
    public let name: String
    /// The meaning of the key, in a sentence; empty if it is not documented.
    public private(set) var meaning = ""
    /// The kind of the value.
    public let kind: ValueKind
    /// The expectation for a value, with bounds and unit, in words that complete "expected …".
    public let expectation: String
    /// Whether `null` switches the value off.
    public private(set) var isOptional = false
    /// Whether the key must be given.
    public private(set) var isRequired = false
    /// Reads the key into a section, or reports a problem.
    public private(set) var read: @Sendable (inout TableDecoder, inout Section) -> Void
    /// Shows the section's value.
    public let show: @Sendable (Section) -> ConfigurationValue
    /// Describes the keys under this one.
    let parts: @Sendable (Section) -> [KeyDescription]

    /// A field with custom reading and showing, for values that the factory methods below do not cover.
    ///
    /// - Parameters:
    ///   - name: the key.
    ///   - kind: the kind of the value.
    ///   - expectation: the expectation for a value, in words that complete "expected …".
    ///   - isOptional: whether `null` switches the value off.
    ///   - parts: describes the keys under this one; none by default.
    ///   - read: reads the key into a section, or reports a problem.
    ///   - show: shows the section's value.
    public init(
        _ name: String, _ kind: ValueKind = .text, _ expectation: String = "", isOptional: Bool = false,
        parts: @escaping @Sendable (Section) -> [KeyDescription] = { _ in [] },
        read: @escaping @Sendable (inout TableDecoder, inout Section) -> Void,
        show: @escaping @Sendable (Section) -> ConfigurationValue
    ) {
        self.name = name
        self.kind = kind
        self.expectation = expectation
        self.isOptional = isOptional
        self.parts = parts
        self.read = read
        self.show = show
    }

    /// Returns the field with its meaning: one sentence, for readers without knowledge of the source.
    public func meaning(_ meaning: String) -> Field {
        var field = self
        field.meaning = meaning
        return field
    }

    /// Returns the field with a report for a section in which the key is missing.
    public func required() -> Field {
        var field = self
        field.isRequired = true
        field.read = { [name, expectation, read] decoder, section in
            if decoder.node(name) == nil { decoder.reject(name, nil, expectation) }
            read(&decoder, &section)
        }
        return field
    }
}

extension Field {
    /// The field for a section that has this one's section as a part; the key does not change.
    package func within<Whole>(_ path: any WritableKeyPath<Whole, Section> & Sendable) -> Field<Whole> {
        let field = Field<Whole>(
            name, kind, expectation, isOptional: isOptional, parts: { parts($0[keyPath: path]) },
            read: { read(&$0, &$1[keyPath: path]) }, show: { show($0[keyPath: path]) })
        return field.meaning(meaning)
    }
}

// MARK: Any value

extension Field {
    /// A value that keeps its default if the key is absent.
    ///
    /// - Parameters:
    ///   - name: the key.
    ///   - path: the section's property for the value.
    ///   - rule: the rule for the value.
    ///   - show: shows the value.
    public static func value<Value>(
        _ name: String, _ path: any WritableKeyPath<Section, Value> & Sendable, _ rule: ValueRule<Value>,
        show: @escaping @Sendable (Value) -> ConfigurationValue
    ) -> Field {
        Field(
            name, rule.kind, rule.expectation,
            read: { decoder, section in
                if let value = decoder.value(name, rule) { section[keyPath: path] = value }
            },
            show: { show($0[keyPath: path]) })
    }

    /// A value that may be switched off with `null`.
    ///
    /// - Parameters:
    ///   - name: the key.
    ///   - path: the section's property for the value.
    ///   - rule: the rule for the value.
    ///   - show: shows the value.
    public static func value<Value>(
        _ name: String, _ path: any WritableKeyPath<Section, Value?> & Sendable, _ rule: ValueRule<Value>,
        show: @escaping @Sendable (Value) -> ConfigurationValue
    ) -> Field {
        Field(
            name, rule.kind, rule.expectation, isOptional: true,
            read: { decoder, section in
                if decoder.isOff(name) {
                    section[keyPath: path] = nil
                } else if let value = decoder.value(name, rule) {
                    section[keyPath: path] = value
                }
            },
            show: { section in section[keyPath: path].map(show) ?? .word("null") })
    }
}
