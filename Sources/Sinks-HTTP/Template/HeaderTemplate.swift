import TrackEngine
import TrackEngineSettings

/// A header field's value with fields in it: `%{device}`. What is no printable ASCII in a value is percent-encoded, because a
/// header has no other word for it, and a line break would begin another header.
struct HeaderTemplate: Sendable, Hashable {
    private let text: TemplateText

    /// Reads a value; `nil` for one without fields, which is sent as it stands.
    init?(_ value: String) throws(TemplateProblem) {
        guard value.contains("%{") else { return nil }
        text = try TemplateText(value)
    }

    /// Whether there is more in it than fields.
    var hasText: Bool { text.parts.count > text.fields.count }

    var fields: [RecordField] { text.fields.map(\.field) }

    /// The value; `nil` where a field that is unknown leaves the header out.
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
    /// The header fields of a request: the configured ones with fields in their values are filled in, or left out where one is
    /// unknown. A token or a password is sent as it stands.
    func headers(_ source: RequestHeaderSource.Fields, of request: Request) -> [(name: String, value: String)] {
        source.fields.dropLast(source.configured.count) + headers(source.configured, of: request)
    }

    /// Texts of the configured header fields, filled in, that must not show, should a receiver repeat them. A value that is
    /// fields alone has no secret.
    func secrets(_ source: RequestHeaderSource.Fields, of request: Request) -> [String] {
        let texts = source.configured.filter { (try? HeaderTemplate($0.value))??.hasText ?? true }
        return headers(texts, of: request).map(\.value)
    }

    /// Configured header fields as a request has them.
    package func headers(
        _ fields: [(name: String, value: String)], of request: Request
    ) -> [(name: String, value: String)] {
        fields.compactMap { field in
            // What cannot be read has been reported, or was changed in its file since then: it is sent as it stands.
            guard let template = try? HeaderTemplate(field.value) else { return field }
            return template.filled(request.subject).map { (name: field.name, value: $0) }
        }
    }

    /// Looks at the values of header fields.
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
