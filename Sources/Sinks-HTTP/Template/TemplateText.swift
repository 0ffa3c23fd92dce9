/// A text with fields in it, `speed=%{speed:km/h}`. `%%{` is an escaped `%{`.
package struct TemplateText: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case literal(String)
        case field(FieldReference)
    }

    /// The maximum length of a template, in bytes.
    package static let maximumLength = 16_384
    /// The maximum number of fields in a template.
    static let maximumFields = 256

    private(set) var parts: [Part] = []

    init() {}

    init(_ text: some StringProtocol) throws(TemplateProblem) {
        guard text.utf8.count <= Self.maximumLength else {
            throw TemplateProblem("at most \(Self.maximumLength) bytes")
        }
        var literal = ""
        var rest = text[...]
        while let percent = rest.firstIndex(of: "%") {
            literal += rest[..<percent]
            rest = rest[percent...]
            if rest.hasPrefix("%%{") {
                literal += "%{"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("%{") {
                guard let end = rest.firstIndex(of: "}") else { throw TemplateProblem("a } behind each %{") }
                append(literal)
                literal = ""
                append(try FieldReference(rest[..<end].dropFirst(2)))
                rest = rest[end...].dropFirst()
            } else {
                literal += "%"
                rest = rest.dropFirst()
            }
        }
        append(literal + rest)
        guard fields.count <= Self.maximumFields else {
            throw TemplateProblem("at most \(Self.maximumFields) fields")
        }
    }

    mutating func append(_ literal: String) {
        if !literal.isEmpty { parts.append(.literal(literal)) }
    }

    mutating func append(_ field: FieldReference) { parts.append(.field(field)) }

    var fields: [FieldReference] {
        parts.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }

    /// The text, split at the given characters of its literals.
    func split(_ isSeparator: (Character) -> Bool) -> [TemplateText] {
        var pieces = [TemplateText()]
        for part in parts {
            switch part {
            case .field(let field): pieces[pieces.count - 1].append(field)
            case .literal(let text):
                for (index, piece) in text.split(omittingEmptySubsequences: false, whereSeparator: isSeparator)
                    .enumerated()
                {
                    if index > 0 { pieces.append(TemplateText()) }
                    pieces[pieces.count - 1].append(String(piece))
                }
            }
        }
        return pieces
    }

    /// The text with each value escaped for its context; `nil` if an unknown field omits the whole text.
    func filled(_ subject: TemplateSubject, _ escaped: (FieldValue) -> String) -> String? {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .field(let field):
                if let value = field.value(of: subject) {
                    text += escaped(value)
                } else {
                    switch field.unknown {
                    case .empty: break
                    case .leftOut: return nil
                    case .text(let fallback): text += escaped(field.isNumber ? .fallback(fallback) : .text(fallback))
                    }
                }
            }
        }
        return text
    }
}
