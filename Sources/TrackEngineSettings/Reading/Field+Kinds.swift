import TrackEngine

// The kinds of values that a field may have, each with its rule.

extension Field {
    /// A whole number within a range.
    public static func integer<Value: FixedWidthInteger & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Section, Value> & Sendable, _ range: ClosedRange<Value>,
        _ unit: String = ""
    ) -> Field {
        value(name, path, .integer(range, unit), show: { .word("\($0)") })
    }

    /// A whole number within a range, or `null` for off.
    public static func integer<Value: FixedWidthInteger & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Section, Value?> & Sendable, _ range: ClosedRange<Value>,
        _ unit: String = ""
    ) -> Field {
        value(name, path, .integer(range, unit), show: { .word("\($0)") })
    }

    /// A number within a range.
    public static func number(
        _ name: String, _ path: any WritableKeyPath<Section, Double> & Sendable, _ range: ClosedRange<Double>,
        _ unit: String = ""
    ) -> Field {
        value(name, path, .number(range, unit), show: { .word($0.written) })
    }

    /// A number above zero.
    public static func positive(
        _ name: String, _ path: any WritableKeyPath<Section, Double> & Sendable, upTo bound: Double, _ unit: String
    ) -> Field {
        value(name, path, .positive(upTo: bound, unit), show: { .word($0.written) })
    }

    /// A number above zero, or `null` for off.
    public static func positive(
        _ name: String, _ path: any WritableKeyPath<Section, Double?> & Sendable, upTo bound: Double, _ unit: String
    ) -> Field {
        value(name, path, .positive(upTo: bound, unit), show: { .word($0.written) })
    }

    /// Seconds within a range; fractions are allowed.
    public static func seconds(
        _ name: String, _ path: any WritableKeyPath<Section, Duration> & Sendable, _ range: ClosedRange<Double>
    ) -> Field {
        value(name, path, .seconds(range), show: { .word($0.inSeconds.written) })
    }

    /// Seconds, or `null` for off.
    public static func seconds(
        _ name: String, _ path: any WritableKeyPath<Section, Duration?> & Sendable, _ range: ClosedRange<Double>
    ) -> Field {
        value(name, path, .seconds(range), show: { .word($0.inSeconds.written) })
    }

    /// `true` or `false`.
    public static func flag(_ name: String, _ path: any WritableKeyPath<Section, Bool> & Sendable) -> Field {
        value(name, path, .flag, show: { .word("\($0)") })
    }

    /// One of the words of an enum.
    public static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Section, Value> & Sendable
    ) -> Field {
        value(name, path, .choice, show: { .text($0.rawValue) })
    }

    /// One of the words of an enum, or `null`.
    public static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Section, Value?> & Sendable
    ) -> Field {
        value(name, path, .choice, show: { .text($0.rawValue) })
    }

    /// One of some words, each of which stands for a value.
    package static func choice<Value: Equatable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Section, Value> & Sendable, _ words: [(String, Value)]
    ) -> Field {
        value(name, path, .words(words), show: { .word(of: $0, in: words) })
    }

    /// One of some words, or `null`.
    package static func choice<Value: Equatable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Section, Value?> & Sendable, _ words: [(String, Value)]
    ) -> Field {
        value(name, path, .words(words), show: { .word(of: $0, in: words) })
    }

    /// A list of words of an enum, without duplicates.
    public static func choices<Value: RawRepresentable<String> & CaseIterable & Hashable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Section, [Value]> & Sendable
    ) -> Field {
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        let list = ValueRule<[Value]>(.list, "a list of some of \(words), each once") { node in
            guard let elements = node.elements else { return nil }
            let values = elements.compactMap(\.text).compactMap(Value.init(rawValue:))
            return values.count == elements.count && Set(values).count == values.count ? values : nil
        }
        return value(name, path, list, show: { .list($0.map { .text($0.rawValue) }) })
    }

    /// A list of texts.
    package static func texts(
        _ name: String, _ path: any WritableKeyPath<Section, [String]> & Sendable, _ rule: TextRule,
        _ expectation: String
    ) -> Field {
        let list = ValueRule<[String]>(.list, expectation) { node in
            guard let elements = node.elements else { return nil }
            let texts = elements.compactMap(\.text).filter(rule.isSatisfied(by:))
            return texts.count == elements.count ? texts : nil
        }
        return value(name, path, list, show: { .list($0.map { .text($0) }) })
    }

    /// A text that satisfies a rule.
    public static func text(
        _ name: String, _ path: any WritableKeyPath<Section, String> & Sendable, _ rule: TextRule = .line
    ) -> Field {
        value(name, path, .text(rule), show: { .text($0) })
    }

    /// A text, or `null` for none.
    public static func text(
        _ name: String, _ path: any WritableKeyPath<Section, String?> & Sendable, _ rule: TextRule = .line
    ) -> Field {
        value(name, path, .text(rule), show: { .text($0) })
    }

    /// A secret or its location, or `null` for none.
    public static func secret(_ name: String, _ path: any WritableKeyPath<Section, SecretReference?> & Sendable)
        -> Field
    {
        Field(
            name, .secret, TableDecoder.secretExpectation, isOptional: true,
            read: { decoder, section in
                if decoder.isOff(name) {
                    section[keyPath: path] = nil
                } else if let secret = decoder.secret(name) {
                    section[keyPath: path] = secret
                }
            },
            show: { section in section[keyPath: path].map { .secret($0) } ?? .word("null") })
    }

    /// A table with fields of its own.
    public static func table<Part>(
        _ name: String, _ path: any WritableKeyPath<Section, Part> & Sendable, _ fields: [Field<Part>]
    ) -> Field {
        Field(
            name, .table, "the keys below",
            parts: { section in fields.map { $0.description(in: section[keyPath: path]) } },
            read: { decoder, section in
                decoder.table(name) { table in
                    for field in fields { field.read(&table, &section[keyPath: path]) }
                }
            },
            show: { section in .table(fields, of: section[keyPath: path]) })
    }

    /// A list of tables, each with fields of its own.
    ///
    /// - Parameters:
    ///   - name: the key.
    ///   - path: where the section has the list.
    ///   - fields: the fields of each table.
    ///   - element: a table without any key.
    public static func tables<Part: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Section, [Part]> & Sendable, _ fields: [Field<Part>],
        of element: Part
    ) -> Field {
        Field(
            name, .list, "a list of tables with the keys below",
            parts: { _ in fields.map { $0.description(in: element) } },
            read: { decoder, section in
                guard decoder.node(name) != nil else { return }
                section[keyPath: path] = decoder.tables(name) { table in
                    var part = element
                    for field in fields { field.read(&table, &part) }
                    table.reportUnknownKeys()
                    return part
                }
            },
            show: { section in .list(section[keyPath: path].map { .table(fields, of: $0) }) })
    }
}
