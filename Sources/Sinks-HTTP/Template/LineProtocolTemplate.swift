/// A line of InfluxDB's line protocol with fields in it: `track,device=%{device} lat=%{latitude}
/// %{time:epochMilliseconds}`.
///
/// An item with an unknown value is left out, because the protocol has no form for it. In the measurement and in
/// tags, commas, equals signs and blanks are escaped with a backslash. A backslash in a value becomes a slash,
/// because one at the end of a tag would escape the next character. Texts among the fields are quoted. Numbers of
/// the fields are written as floating point.
///
/// Source: https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/
struct LineProtocolTemplate: Sendable, Hashable {
    private let tags: [TemplateText]
    private let items: [TemplateText]
    private let time: TemplateText

    init(_ template: String) throws(TemplateProblem) {
        let sections = try TemplateText(template).split { $0 == " " }.filter { !$0.parts.isEmpty }
        guard sections.count == 2 || sections.count == 3 else {
            throw TemplateProblem("a line of measurement and tags, a blank, fields, and perhaps a blank and a time")
        }
        tags = sections[0].split { $0 == "," }
        items = sections[1].split { $0 == "," }
        time = sections.count == 3 ? sections[2] : TemplateText()
        guard items.allSatisfy({ $0.beginsWithName }), tags.dropFirst().allSatisfy({ $0.beginsWithName }) else {
            throw TemplateProblem("a name and = in front of the value of each tag and field")
        }
        guard !items.contains(where: \.hasQuotedField) else {
            throw TemplateProblem("no quotes around a field: texts get them where they are written")
        }
        guard items.contains(where: { $0.fields.allSatisfy { $0.field.isAlwaysKnown } }) else {
            throw TemplateProblem("a field that every record has, such as lat=%{latitude}")
        }
    }

    var fields: [FieldReference] { (tags + items + [time]).flatMap(\.fields) }

    func filled(_ subject: TemplateSubject) -> String {
        let tags = tags.compactMap { item($0, subject, escapedTag) }.joined(separator: ",")
        let items = items.compactMap { item($0, subject, escapedField) }.joined(separator: ",")
        let time = time.filled(subject) { $0.text } ?? ""
        return "\(tags) \(items)" + (time.isEmpty ? "" : " \(time)")
    }

    private func item(
        _ item: TemplateText, _ subject: TemplateSubject, _ escaped: (FieldValue) -> String
    ) -> String? {
        for field in item.fields where field.value(of: subject).map({ $0.text.isEmpty }) ?? field.fallback.isEmpty {
            return nil
        }
        return item.filled(subject, escaped)
    }

    private func escapedTag(_ value: FieldValue) -> String {
        var text = ""
        for scalar in value.text.withoutLineBreaks.unicodeScalars {
            if scalar == "\\" {
                text += "/"
            } else {
                if ",= ".unicodeScalars.contains(scalar) { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private func escapedField(_ value: FieldValue) -> String {
        guard case .text(let text) = value else { return value.text }
        let escaped = text.withoutLineBreaks.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}

extension TemplateText {
    /// Whether a quotation mark directly precedes a field.
    fileprivate var hasQuotedField: Bool {
        zip(parts, parts.dropFirst()).contains { before, after in
            guard case .literal(let text) = before, case .field = after else { return false }
            return text.hasSuffix("\"")
        }
    }

    /// Whether it begins with `name=`.
    fileprivate var beginsWithName: Bool {
        guard case .literal(let text) = parts.first, let name = text.split(separator: "=", maxSplits: 1).first else {
            return false
        }
        return !name.isEmpty && text.contains("=") && !text.hasPrefix("=")
    }
}

extension RecordField {
    /// Whether every record has the field.
    fileprivate var isAlwaysKnown: Bool {
        switch self {
        case .latitude, .longitude, .time, .moving, .cause, .simulated, .id, .sequence, .source, .device, .kind:
            true
        case .altitude, .ellipsoidalAltitude, .accuracy, .verticalAccuracy, .speed, .speedAccuracy, .course,
            .courseAccuracy, .hdop, .pdop, .satellites, .satellitesVisible, .battery, .batteryState, .charging,
            .wifi, .bssid, .activity, .event, .odometer, .count, .records, .transition, .place, .placeID, .eventID,
            .begin, .end,
            .mode, .distance:
            false
        }
    }
}
