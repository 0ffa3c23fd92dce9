package import TrackEngineSettings

/// A receiver's address with percent-encoded fields in its path and query; scheme, host and port are fixed.
package struct AddressTemplate: Sendable, Hashable {
    /// The address with an empty text for each field, for checks and messages about its destination.
    package let endpoint: Endpoint
    private let base: String
    private let path: TemplateText
    private let query: ParameterTemplate?

    package init(_ text: String) throws(TemplateProblem) {
        let withoutFragment = text[..<(Self.first("#", of: text[...]) ?? text.endIndex)]
        let start = withoutFragment.firstRange(of: "://")?.upperBound ?? withoutFragment.startIndex
        let end = withoutFragment[start...].firstIndex { $0 == "/" || $0 == "?" } ?? withoutFragment.endIndex
        base = String(withoutFragment[..<end])
        guard !base.contains("%{") else {
            throw TemplateProblem("fields in the path and the query alone: the host is the same for every record")
        }
        let mark = Self.first("?", of: withoutFragment[end...])
        path = try TemplateText(withoutFragment[end..<(mark ?? withoutFragment.endIndex)])
        let parameters = mark.map { withoutFragment[$0...].dropFirst() }
        query = try parameters.map { text throws(TemplateProblem) in try ParameterTemplate(text) }
        if path.fields.contains(where: { $0.unknown == .leftOut }) {
            throw TemplateProblem("%{…?} in the query alone: a path cannot do without a part of it")
        }
        for case .literal(let literal) in path.parts where !PercentEncoding.hasWholeEscapes(literal) {
            throw TemplateProblem(Endpoint.Malformed.escape.rawValue)
        }
        let bare = base + Self.literals(of: path) + (parameters.map { "?" + Self.literals(of: $0) } ?? "")
        do throws(Endpoint.Malformed) { endpoint = try Endpoint(bare) } catch {
            throw TemplateProblem(error.rawValue)
        }
    }

    /// The fields of the address.
    var fieldNames: [RecordField] { (path.fields + (query?.fields ?? [])).map(\.field) }

    /// The address for a record; `nil` if it would exceed the maximum length of an address.
    func filled(_ subject: TemplateSubject) -> Endpoint? {
        var text = base + (path.filled(subject) { PercentEncoding.encoded($0.text) } ?? "")
        if let query = query?.filled(subject), !query.isEmpty { text += "?" + query }
        return Endpoint(ifReadable: text)
    }

    private static func literals(of text: TemplateText) -> String {
        text.parts.map { if case .literal(let literal) = $0 { literal } else { "" } }.joined()
    }

    /// The index of the first occurrence of a mark outside of a field.
    private static func first(_ mark: Character, of text: Substring) -> String.Index? {
        var rest = text
        while let index = rest.firstIndex(where: { $0 == mark || $0 == "%" }) {
            if rest[index] == mark { return index }
            rest = rest[index...]
            let isField = rest.hasPrefix("%{")
            guard let end = isField ? rest.firstIndex(of: "}") : index else { return nil }
            rest = rest[end...].dropFirst()
        }
        return nil
    }

    private static func literals(of text: Substring) -> String {
        // The text has already been parsed as parameters.
        (try? TemplateText(text)).map { literals(of: $0) } ?? ""
    }
}
