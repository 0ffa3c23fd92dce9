import TrackEngine

/// A key of a section: how it is read, and how it is shown again.
///
/// A section is a table of fields, and everything else follows from it: decoding, `trackd check --show`, the suggestion
/// for a misspelled key, and the list of what a reload changes.
public struct Field<Section>: Sendable {
    /// The key.
    public let name: String
    /// Reads the key into a section, or reports what is wrong.
    public let read: @Sendable (inout TableDecoder, inout Section) -> Void
    /// Shows what the section has.
    public let show: @Sendable (Section) -> Shown

    /// A field that the ones below do not describe.
    public init(
        _ name: String, read: @escaping @Sendable (inout TableDecoder, inout Section) -> Void,
        show: @escaping @Sendable (Section) -> Shown
    ) {
        self.name = name
        self.read = read
        self.show = show
    }

    /// A value that is there or keeps its default.
    private init<Value>(
        _ name: String, _ path: any WritableKeyPath<Section, Value> & Sendable,
        read: @escaping @Sendable (inout TableDecoder) -> Value?, show: @escaping @Sendable (Value) -> Shown
    ) {
        self.name = name
        self.read = { decoder, section in
            if let value = read(&decoder) { section[keyPath: path] = value }
        }
        self.show = { show($0[keyPath: path]) }
    }

    /// A value that may be switched off with `null`.
    private init<Value>(
        optional name: String, _ path: any WritableKeyPath<Section, Value?> & Sendable,
        read: @escaping @Sendable (inout TableDecoder) -> Value?, show: @escaping @Sendable (Value) -> Shown
    ) {
        self.name = name
        self.read = { decoder, section in
            if decoder.isOff(name) {
                section[keyPath: path] = nil
            } else if let value = read(&decoder) {
                section[keyPath: path] = value
            }
        }
        self.show = { section in section[keyPath: path].map(show) ?? .word("null") }
    }
}

// MARK: The kinds of values

extension Field {
    /// A whole number within a range.
    public static func integer<Value: FixedWidthInteger & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Section, Value> & Sendable, _ range: ClosedRange<Value>,
        _ unit: String = ""
    ) -> Field {
        Field(name, path, read: { $0.integer(name, range, unit) }, show: { .word("\($0)") })
    }

    /// A whole number within a range, or `null` for off.
    public static func integer<Value: FixedWidthInteger & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Section, Value?> & Sendable, _ range: ClosedRange<Value>,
        _ unit: String = ""
    ) -> Field {
        Field(optional: name, path, read: { $0.integer(name, range, unit) }, show: { .word("\($0)") })
    }

    /// A number within a range.
    public static func number(
        _ name: String, _ path: any WritableKeyPath<Section, Double> & Sendable, _ range: ClosedRange<Double>,
        _ unit: String = ""
    ) -> Field {
        Field(name, path, read: { $0.number(name, range, unit) }, show: { .word($0.written) })
    }

    /// A number above zero.
    public static func positive(
        _ name: String, _ path: any WritableKeyPath<Section, Double> & Sendable, upTo bound: Double, _ unit: String
    ) -> Field {
        Field(name, path, read: { $0.positive(name, upTo: bound, unit) }, show: { .word($0.written) })
    }

    /// A number above zero, or `null` for off.
    public static func positive(
        _ name: String, _ path: any WritableKeyPath<Section, Double?> & Sendable, upTo bound: Double, _ unit: String
    ) -> Field {
        Field(optional: name, path, read: { $0.positive(name, upTo: bound, unit) }, show: { .word($0.written) })
    }

    /// Seconds within a range; fractions are allowed.
    public static func seconds(
        _ name: String, _ path: any WritableKeyPath<Section, Duration> & Sendable, _ range: ClosedRange<Double>
    ) -> Field {
        Field(name, path, read: { $0.seconds(name, range) }, show: { .word($0.inSeconds.written) })
    }

    /// Seconds, or `null` for off.
    public static func seconds(
        _ name: String, _ path: any WritableKeyPath<Section, Duration?> & Sendable, _ range: ClosedRange<Double>
    ) -> Field {
        Field(optional: name, path, read: { $0.seconds(name, range) }, show: { .word($0.inSeconds.written) })
    }

    /// `true` or `false`.
    public static func flag(_ name: String, _ path: any WritableKeyPath<Section, Bool> & Sendable) -> Field {
        Field(name, path, read: { $0.flag(name) }, show: { .word("\($0)") })
    }

    /// A word that an enum knows.
    public static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Section, Value> & Sendable
    ) -> Field {
        Field(name, path, read: { $0.choice(name) }, show: { .text($0.rawValue) })
    }

    /// A word that an enum knows, or `null`.
    public static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Section, Value?> & Sendable
    ) -> Field {
        Field(optional: name, path, read: { $0.choice(name) }, show: { .text($0.rawValue) })
    }

    /// A text that satisfies a rule.
    public static func text(
        _ name: String, _ path: any WritableKeyPath<Section, String> & Sendable, _ rule: TextRule = .line
    ) -> Field {
        Field(name, path, read: { $0.text(name, rule) }, show: { .text($0) })
    }

    /// A text, or `null` for none.
    public static func text(
        _ name: String, _ path: any WritableKeyPath<Section, String?> & Sendable, _ rule: TextRule = .line
    ) -> Field {
        Field(optional: name, path, read: { $0.text(name, rule) }, show: { .text($0) })
    }

    /// A secret or where it is kept, or `null` for none.
    public static func secret(_ name: String, _ path: any WritableKeyPath<Section, SecretReference?> & Sendable)
        -> Field
    {
        Field(optional: name, path, read: { $0.secret(name) }, show: { .secret($0) })
    }

    /// A table of fields of its own.
    public static func table<Part>(
        _ name: String, _ path: any WritableKeyPath<Section, Part> & Sendable, _ fields: [Field<Part>]
    ) -> Field {
        Field(
            name,
            read: { decoder, section in
                decoder.table(name) { table in
                    for field in fields { field.read(&table, &section[keyPath: path]) }
                }
            },
            show: { section in .table(fields, of: section[keyPath: path]) })
    }
}

extension TableDecoder {
    /// A number above zero.
    public mutating func positive(_ key: String, upTo bound: Double, _ unit: String) -> Double? {
        value(key, "above 0 and up to \(bound.written)".followed(by: unit)) { node in
            node.number.flatMap { $0 > 0 && $0 <= bound ? $0 : nil }
        }
    }

    /// Seconds within a range.
    public mutating func seconds(_ key: String, _ range: ClosedRange<Double>) -> Duration? {
        number(key, range, "seconds").map { .nanoseconds(Int64(($0 * 1e9).rounded())) }
    }
}
