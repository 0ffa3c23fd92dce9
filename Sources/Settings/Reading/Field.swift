/// A key of a section: what it means, how it is read, and how it is shown again.
///
/// A section is a table of fields, and everything else follows from it: decoding, `trackd check --show`, the suggestion
/// for a misspelled key, the list of what a reload changes, and the reference that `trackd explain` prints.
///
/// ```swift
/// .integer("channel", \.channel, 1...16).meaning("The radio channel on which the buoy sends."),
/// ```
public struct Field<Section>: Sendable {
    /// The key.
    public let name: String
    /// What the key means, in a sentence; empty if nobody has said it.
    public private(set) var meaning = ""
    /// What sort of value stands there.
    public let kind: ValueKind
    /// What a value must be like, with bounds and unit, in words that complete "expected …".
    public let expectation: String
    /// Whether `null` switches the value off.
    public private(set) var isOptional = false
    /// Whether the key must be given.
    public private(set) var isRequired = false
    /// Reads the key into a section, or reports what is wrong.
    public private(set) var read: @Sendable (inout TableDecoder, inout Section) -> Void
    /// Shows what the section has.
    public let show: @Sendable (Section) -> Shown
    /// Describes the keys under this one.
    let parts: @Sendable (Section) -> [KeyDescription]

    /// A field that the ones below do not describe.
    ///
    /// - Parameters:
    ///   - name: the key.
    ///   - kind: what sort of value stands there.
    ///   - expectation: what a value must be like, in words that complete "expected …".
    ///   - isOptional: whether `null` switches the value off.
    ///   - parts: describes the keys under this one; none by default.
    ///   - read: reads the key into a section, or reports what is wrong.
    ///   - show: shows what the section has.
    public init(
        _ name: String, _ kind: ValueKind = .text, _ expectation: String = "", isOptional: Bool = false,
        parts: @escaping @Sendable (Section) -> [KeyDescription] = { _ in [] },
        read: @escaping @Sendable (inout TableDecoder, inout Section) -> Void,
        show: @escaping @Sendable (Section) -> Shown
    ) {
        self.name = name
        self.kind = kind
        self.expectation = expectation
        self.isOptional = isOptional
        self.parts = parts
        self.read = read
        self.show = show
    }

    /// The same field with what it means: one sentence, for a person who has never seen the program's source.
    public func meaning(_ meaning: String) -> Field {
        var field = self
        field.meaning = meaning
        return field
    }

    /// The same field, which reports a section without its key.
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

// MARK: Any value

extension Field {
    /// A value that is there or keeps its default.
    ///
    /// - Parameters:
    ///   - name: the key.
    ///   - path: where the section has the value.
    ///   - rule: what the value must be like.
    ///   - show: shows the value.
    public static func value<Value>(
        _ name: String, _ path: any WritableKeyPath<Section, Value> & Sendable, _ rule: ValueRule<Value>,
        show: @escaping @Sendable (Value) -> Shown
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
    ///   - path: where the section has the value.
    ///   - rule: what the value must be like.
    ///   - show: shows the value.
    public static func value<Value>(
        _ name: String, _ path: any WritableKeyPath<Section, Value?> & Sendable, _ rule: ValueRule<Value>,
        show: @escaping @Sendable (Value) -> Shown
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
