import TrackEngineSettings

/// Parameters with fields in them, `lat=%{latitude}&speed=%{speed?}`, for a query or a form.
///
/// Values are percent-encoded (RFC 3986 section 2.1), a blank as `%20`. An unknown value is empty; a field with `?`
/// omits its parameter.
struct ParameterTemplate: Sendable, Hashable {
    private let parameters: [TemplateText]

    init(_ text: some StringProtocol) throws(TemplateProblem) {
        let whole = try TemplateText(text)
        for case .literal(let literal) in whole.parts where !literal.utf8.allSatisfy(Self.isAllowed) {
            throw TemplateProblem("parameters of printable ASCII characters, others percent-encoded")
        }
        for case .literal(let literal) in whole.parts where !PercentEncoding.hasWholeEscapes(literal) {
            throw TemplateProblem(Endpoint.Malformed.escape.rawValue)
        }
        parameters = whole.split { $0 == "&" }
    }

    var fields: [FieldReference] { parameters.flatMap(\.fields) }

    func filled(_ subject: TemplateSubject) -> String {
        parameters.compactMap { $0.filled(subject) { PercentEncoding.encoded($0.text) } }.joined(separator: "&")
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7f && !"\"<>\\^`{|}#".utf8.contains(byte)
    }
}
