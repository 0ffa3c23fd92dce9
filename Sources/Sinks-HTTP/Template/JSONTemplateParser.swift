import TrackEngine

/// Parses a ``JSONTemplate``: RFC 8259 with `%{…}` in place of a value or a part of a string.
struct JSONTemplateParser {
    /// The largest depth of nested arrays and objects.
    static let maximumDepth = 32

    private var rest: Substring

    /// Parses a whole text.
    static func parse(_ text: String) throws(TemplateProblem) -> JSONTemplate {
        guard text.utf8.count <= TemplateText.maximumLength else {
            throw TemplateProblem("at most \(TemplateText.maximumLength) bytes")
        }
        var parser = JSONTemplateParser(rest: text[...])
        let template = try parser.value(depth: 0)
        parser.skipBlanks()
        guard parser.rest.isEmpty else { throw TemplateProblem("no text behind the end of the JSON") }
        guard template.fields.count <= TemplateText.maximumFields else {
            throw TemplateProblem("at most \(TemplateText.maximumFields) fields")
        }
        if case .field(let field) = template, field.unknown == .leftOut {
            throw TemplateProblem("%{…?} within an object or an array of the JSON, which can do without it")
        }
        return template
    }

    private mutating func value(depth: Int) throws(TemplateProblem) -> JSONTemplate {
        guard depth < Self.maximumDepth else { throw TemplateProblem("at most \(Self.maximumDepth) levels of JSON") }
        skipBlanks()
        switch rest.unicodeScalars.first {
        case "%": return .field(try field())
        case "\"": return .string(try string())
        case "[": return .array(try array(depth))
        case "{": return .object(try object(depth))
        case _: return .literal(try literal())
        }
    }

    private mutating func array(_ depth: Int) throws(TemplateProblem) -> [JSONTemplate] {
        take()
        var elements: [JSONTemplate] = []
        if takes("]") { return elements }
        repeat { elements.append(try value(depth: depth + 1)) } while takes(",")
        guard takes("]") else { throw TemplateProblem("JSON with a ] behind the elements of each array") }
        return elements
    }

    private mutating func object(_ depth: Int) throws(TemplateProblem) -> [JSONTemplate.Member] {
        take()
        var members: [JSONTemplate.Member] = []
        if takes("}") { return members }
        repeat {
            skipBlanks()
            guard rest.unicodeScalars.first == "\"" else {
                throw TemplateProblem("JSON with the name of each member in quotes")
            }
            let name = try string()
            guard takes(":") else { throw TemplateProblem("JSON with a : behind the name of each member") }
            members.append(JSONTemplate.Member(name: name, value: try value(depth: depth + 1)))
        } while takes(",")
        guard takes("}") else { throw TemplateProblem("JSON with a } behind the members of each object") }
        return members
    }

    /// Parses a number or a keyword.
    private mutating func literal() throws(TemplateProblem) -> [UInt8] {
        let text = Array(rest.utf8.prefix { !" \t\r\n,]}[{:\"%".utf8.contains($0) })
        guard !text.isEmpty, JSONValue(ifReadable: text) != nil else {
            throw TemplateProblem("JSON with a value, or a field %{…}, wherever one is needed")
        }
        rest = rest[(rest.utf8.index(rest.startIndex, offsetBy: text.count))...]
        return text
    }

    private mutating func field() throws(TemplateProblem) -> FieldReference {
        guard rest.hasPrefix("%{"), let end = rest.firstIndex(of: "}") else {
            throw TemplateProblem("a field written as %{name}")
        }
        let text = rest[..<end].dropFirst(2)
        rest = rest[end...].dropFirst()
        return try FieldReference(text)
    }

    private mutating func string() throws(TemplateProblem) -> TemplateText {
        take()
        var text = TemplateText()
        var literal = ""
        while let scalar = rest.unicodeScalars.first {
            if scalar == "\"" {
                take()
                try append(literal, to: &text)
                return text
            } else if rest.unicodeScalars.starts(with: "%%{".unicodeScalars) {
                literal += "%{"
                take(3)
            } else if rest.unicodeScalars.starts(with: "%{".unicodeScalars) {
                try append(literal, to: &text)
                literal = ""
                text.append(try field())
            } else {
                let length = scalar == "\\" ? 2 : 1
                literal.unicodeScalars.append(contentsOf: rest.unicodeScalars.prefix(length))
                take(length)
            }
        }
        throw TemplateProblem("JSON with a quote at the end of each string")
    }

    /// Appends a literal after checking it as a separate string: escapes must be complete, and control characters
    /// escaped.
    private func append(_ literal: String, to text: inout TemplateText) throws(TemplateProblem) {
        guard JSONValue(ifReadable: Array("\"\(literal)\"".utf8)) != nil else {
            throw TemplateProblem("JSON strings with \\n, \\\" and the like for characters that they cannot hold")
        }
        text.append(literal)
    }

    private mutating func take(_ count: Int = 1) {
        rest = Substring(rest.unicodeScalars.dropFirst(count))
    }

    private mutating func takes(_ mark: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard rest.unicodeScalars.first == mark else { return false }
        take()
        return true
    }

    private mutating func skipBlanks() {
        rest = Substring(rest.unicodeScalars.drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" })
    }
}
