import TrackEngine

/// The template of a body, or of one record in it, in one of the formats.
enum BodyTemplate: Sendable {
    case json(JSONTemplate)
    case form(ParameterTemplate)
    case row(RowTemplate)
    case line(LineProtocolTemplate)
    /// Only the rows or lines.
    case records

    /// - Parameter wrapping: Whether the text surrounds the records of a batch.
    init(_ text: String, _ format: HTTPSink.Configuration.Format, wrapping: Bool = false) throws(TemplateProblem) {
        switch format {
        case .json: self = .json(try JSONTemplateParser.parse(text))
        case .form: self = .form(try ParameterTemplate(text))
        case .csv: self = .row(try RowTemplate(text, .csv))
        case .text: self = .row(try RowTemplate(text, .plain))
        case .influx where wrapping:
            guard text == "%{records}" else {
                throw TemplateProblem("%{records} alone: lines have no text around them")
            }
            self = .records
        case .influx: self = .line(try LineProtocolTemplate(text))
        }
    }

    var fields: [RecordField] {
        switch self {
        case .json(let template): template.fields.map(\.field)
        case .form(let template): template.fields.map(\.field)
        case .row(let template): template.fields.map(\.field)
        case .line(let template): template.fields.map(\.field)
        case .records: [.records]
        }
    }

    func filled(_ subject: TemplateSubject, records: [[UInt8]] = []) -> [UInt8] {
        switch self {
        case .json(let template):
            var writer = JSONWriter(capacity: 256 + records.reduce(0) { $0 + $1.count + 1 })
            template.write(subject, records: records, to: &writer)
            return writer.bytes
        case .form(let template): return Array(template.filled(subject).utf8)
        case .row(let template): return Array(template.filled(subject, records: records).utf8)
        case .line(let template): return Array(template.filled(subject).utf8)
        case .records: return Array(records.joined(separator: [UInt8(ascii: "\n")]))
        }
    }
}

extension HTTPSink.Configuration.Format {
    /// The type of a body of the format.
    var contentType: String {
        switch self {
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .csv: "text/csv; charset=utf-8"
        case .influx, .text: "text/plain; charset=utf-8"
        }
    }
}
