import TrackEngine
import TrackEngineSettings

/// The value of a header field with template fields in it: `%{device}`. Blanks, percent signs and all characters
/// other than printable ASCII in a field's value are percent-encoded, because headers have no other form for them,
/// and a line break would begin another header.
struct HeaderTemplate: Sendable, Hashable {
    private let text: TemplateText

    /// Parses a value; `nil` for one without fields, which is sent unchanged.
    init?(_ value: String) throws(TemplateProblem) {
        guard value.contains("%{") else { return nil }
        text = try TemplateText(value)
    }

    /// Whether it contains text in addition to fields.
    var hasText: Bool { text.parts.count > text.fields.count }

    var fields: [RecordField] { text.fields.map(\.field) }

    /// The value; `nil` if an unknown field omits the header.
    func filled(_ subject: TemplateSubject) -> String? {
        text.filled(subject) { value in
            String(
                decoding: value.text.utf8.flatMap { byte -> [UInt8] in
                    (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "%")
                        ? [byte] : Array(PercentEncoding.encoded(byte).utf8)
                }, as: UTF8.self)
        }
    }
}

extension RequestTemplate {
    /// The header fields of a request. Configured ones with template fields are filled in, or left out if such a
    /// field is unknown. A token or a password is sent unchanged.
    func headers(_ source: RequestHeaderSource.Fields, of request: Request) -> [(name: String, value: String)] {
        source.fields.dropLast(source.configured.count) + headers(source.configured, of: request)
    }

    /// Values of the configured header fields, filled in, that must not be shown if a receiver repeats them. A value
    /// that consists of fields only is not secret.
    func secrets(_ source: RequestHeaderSource.Fields, of request: Request) -> [String] {
        let texts = source.configured.filter { (try? HeaderTemplate($0.value))??.hasText ?? true }
        return headers(texts, of: request).map(\.value)
    }

    /// Configured header fields in the form that a request takes.
    package func headers(
        _ fields: [(name: String, value: String)], of request: Request
    ) -> [(name: String, value: String)] {
        fields.compactMap { field in
            // An invalid template has been reported, or was changed in its file since then: it is sent unchanged.
            guard let template = try? HeaderTemplate(field.value) else { return field }
            return template.filled(request.subject).map { (name: field.name, value: $0) }
        }
    }

    /// Checks the values of header fields.
    func checkHeaders(_ headers: [HeaderField]) throws(Malformed) {
        for header in headers {
            do throws(TemplateProblem) {
                guard let template = try HeaderTemplate(header.value.revealed) else { continue }
                guard !template.fields.contains(.records) else {
                    throw TemplateProblem("the field records in the body alone")
                }
                guard isBatch, let field = template.fields.first(where: { !$0.isOfRequest }) else { continue }
                throw TemplateProblem("%{\(field.rawValue)} in record, because a request has several records")
            } catch {
                throw Malformed(key: "headers.\(header.name)", value: "…", expectation: error.expectation)
            }
        }
    }
}
