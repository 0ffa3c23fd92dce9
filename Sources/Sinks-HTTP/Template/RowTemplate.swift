/// A row of text with fields in it: a row of CSV (RFC 4180), or plain text.
///
/// The result is always one row: control characters and line separators become blanks. In CSV, a value with a comma,
/// a semicolon or a quote is quoted, unless the template already quotes it.
struct RowTemplate: Sendable, Hashable {
    enum Kind: Sendable, Hashable { case plain, csv }

    private let kind: Kind
    private let text: TemplateText

    init(_ template: String, _ kind: Kind) throws(TemplateProblem) {
        self.kind = kind
        text = try TemplateText(template)
        if fields.contains(where: { $0.unknown == .leftOut }) {
            throw TemplateProblem("no %{…?} in a row, where each value has its place")
        }
    }

    var fields: [FieldReference] { text.fields }

    func filled(_ subject: TemplateSubject, records: [[UInt8]] = []) -> String {
        var row = ""
        var isQuoted = false
        for part in text.parts {
            switch part {
            case .literal(let literal):
                row += literal
                for byte in literal.utf8 where byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            case .field(let field) where field.field == .records:
                row += records.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
            case .field(let field):
                let value = field.value(of: subject)?.text ?? field.fallback
                row += escaped(value.withoutLineBreaks, isQuoted: isQuoted)
            }
        }
        return row
    }

    private func escaped(_ value: String, isQuoted: Bool) -> String {
        guard kind == .csv else { return value }
        let doubled = value.replacing("\"", with: "\"\"")
        if isQuoted { return doubled }
        return value.unicodeScalars.contains { ",;\"".unicodeScalars.contains($0) } ? "\"\(doubled)\"" : value
    }
}

extension FieldReference {
    /// The text for an unknown value.
    var fallback: String { if case .text(let text) = unknown { text } else { "" } }
}

extension String {
    /// The text with each control character and line separator replaced by a blank.
    var withoutLineBreaks: String {
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            let isBreak =
                scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || (0x2028...0x2029).contains(scalar.value)
            scalars.append(isBreak ? " " : scalar)
        }
        return String(scalars)
    }
}
