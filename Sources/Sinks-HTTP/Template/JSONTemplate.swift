import TrackEngine

/// A JSON document with fields in it: as values, `{"lat": %{latitude}}`, and within strings, `{"topic":
/// "t/%{device}"}`.
///
/// As a value, a number is written as a number, a text as a quoted string and an unknown value as `null`. Within a
/// string, a value is escaped text and an unknown value is empty. A field with `?` omits the member or element that
/// contains it if its value is unknown.
indirect enum JSONTemplate: Sendable, Hashable {
    /// A number, `true`, `false` or `null`, written unchanged.
    case literal([UInt8])
    case field(FieldReference)
    /// A string; the literals of the text are already escaped.
    case string(TemplateText)
    case array([JSONTemplate])
    case object([Member])

    struct Member: Sendable, Hashable {
        let name: TemplateText
        let value: JSONTemplate
    }

    /// Fills in the template.
    ///
    /// - Parameter records: The elements that replace the field `records`, each already JSON.
    func write(_ subject: TemplateSubject, records: [[UInt8]] = [], to writer: inout JSONWriter) {
        switch self {
        case .literal(let bytes): writer.raw(bytes)
        case .field(let field) where field.field == .records:
            writer.list(of: records, "[", "]") { $1.raw($0) }
        case .field(let field): Self.write(field, subject, to: &writer)
        case .string(let text): writer.quoted(text, subject)
        case .array(let elements):
            writer.list(of: elements.filter { $0.stands(in: subject) }, "[", "]") {
                $0.write(subject, records: records, to: &$1)
            }
        case .object(let members):
            let present = members.filter { $0.value.stands(in: subject) && $0.name.stands(in: subject) }
            writer.list(of: present, "{", "}") {
                $1.quoted($0.name, subject)
                $1.raw(":")
                $0.value.write(subject, records: records, to: &$1)
            }
        }
    }

    private static func write(_ field: FieldReference, _ subject: TemplateSubject, to writer: inout JSONWriter) {
        switch (field.value(of: subject), field.unknown) {
        case (.number(let value, let decimals), _): writer.number(value, decimals: decimals)
        case (.integer(let value), _): writer.integer(value)
        case (.flag(let value), _): writer.boolean(value)
        case (.text(let text), _): writer.string(text)
        case (nil, .text(let fallback)): writer.fallback(fallback)
        case (nil, .empty), (nil, .leftOut): writer.raw("null")
        }
    }

    /// Whether the value is written: none of its own fields with `?` is unknown.
    private func stands(in subject: TemplateSubject) -> Bool {
        switch self {
        case .field(let field): field.field == .records || field.unknown != .leftOut || field.value(of: subject) != nil
        case .string(let text): text.stands(in: subject)
        case .literal, .array, .object: true
        }
    }

    /// All fields, at any depth.
    var fields: [FieldReference] {
        switch self {
        case .literal: []
        case .field(let field): [field]
        case .string(let text): text.fields
        case .array(let elements): elements.flatMap(\.fields)
        case .object(let members): members.flatMap { $0.name.fields + $0.value.fields }
        }
    }
}

extension TemplateText {
    fileprivate func stands(in subject: TemplateSubject) -> Bool {
        fields.allSatisfy { $0.unknown != .leftOut || $0.value(of: subject) != nil }
    }
}

extension JSONWriter {
    fileprivate mutating func list<Element>(
        of elements: [Element], _ opening: StaticString, _ closing: StaticString,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        raw(opening)
        for index in elements.indices {
            if index > 0 { raw(",") }
            write(elements[index], &self)
        }
        raw(closing)
    }

    /// Writes a string with literals that are already escaped.
    fileprivate mutating func quoted(_ text: TemplateText, _ subject: TemplateSubject) {
        let filled = text.filled(subject) { value in
            var inner = JSONWriter()
            inner.string(value.text)
            return String(decoding: inner.bytes.dropFirst().dropLast(), as: UTF8.self)
        }
        raw("\"")
        raw((filled ?? "").utf8)
        raw("\"")
    }

    /// Writes a number or a JSON keyword unchanged, any other text as a string.
    fileprivate mutating func fallback(_ text: String) {
        switch JSONValue(ifReadable: Array(text.utf8)) {
        case .number, .boolean, .null: raw(Array(text.utf8))
        case .string, .array, .object, nil: string(text)
        }
    }
}
