import TrackEngine
import TrackEngineSettings

/// A field in a template, `%{speed:km/h:1?}`: the name, the unit, the decimals and the form of an unknown value.
package struct FieldReference: Sendable, Hashable {
    /// The form of an unknown value.
    enum Unknown: Sendable, Hashable {
        /// `null` in JSON, and an empty text elsewhere.
        case empty
        /// `%{…?}`: the member, parameter or item that contains the field is left out.
        case leftOut
        /// `%{…|text}`: this text.
        case text(String)
    }

    let field: RecordField
    let unit: FieldUnit?
    let decimals: Int
    let unknown: Unknown

    /// Parses a field, the text between `%{` and `}`.
    init(_ text: some StringProtocol) throws(TemplateProblem) {
        let halves = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        var reference = String(halves.first ?? "")
        if halves.count == 2 {
            unknown = .text(String(halves[1]))
        } else if reference.hasSuffix("?") {
            reference.removeLast()
            unknown = .leftOut
        } else {
            unknown = .empty
        }
        let parts = reference.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let name = parts.first ?? ""
        guard let field = RecordField(rawValue: name) else { throw .unknownField(name) }
        self.field = field
        var unit: FieldUnit?
        var decimals: Int?
        for part in parts.dropFirst() {
            if let count = Int(part), decimals == nil, (0...9).contains(count) {
                decimals = count
            } else if let chosen = FieldUnit(rawValue: part), unit == nil, field.quantity.units.contains(chosen) {
                unit = chosen
            } else {
                throw .modifier(part, of: field)
            }
        }
        if let decimals, !field.quantity.takesDecimals(unit) { throw .modifier("\(decimals)", of: field) }
        self.unit = unit ?? field.quantity.units.first { $0 != .number && $0 != .lower }
        self.decimals = decimals ?? Self.decimals(of: field.quantity, self.unit)
    }

    private static func decimals(of quantity: RecordField.Quantity, _ unit: FieldUnit?) -> Int {
        switch quantity {
        case .degrees: 7
        case .angle: 1
        case .ratio: 2
        case .length, .speed, .share, .count, .time, .flag, .text, .records: unit?.decimals ?? 0
        }
    }
}

/// The reason why a text is not a template, in words that complete "expected …". It repeats only the names of fields
/// from the text.
package struct TemplateProblem: Error, Sendable, Hashable {
    package let expectation: String

    init(_ expectation: String) { self.expectation = expectation }

    static func unknownField(_ name: String) -> TemplateProblem {
        let names = RecordField.allCases.map(\.rawValue)
        let hint = Suggestion.nearest(to: name, in: names).map { "; did you mean \($0)?" } ?? ""
        return TemplateProblem("a field of \(names.joined(separator: ", ")) in %{\(name.shownAsKey)}\(hint)")
    }

    static func modifier(_ text: String, of field: RecordField) -> TemplateProblem {
        var allowed = field.quantity.units.map(\.rawValue)
        if field.quantity.takesDecimals(field.quantity == .time ? .epoch : nil) { allowed.append("0 to 9 decimals") }
        let expected = allowed.isEmpty ? "no unit" : allowed.joined(separator: ", ")
        return TemplateProblem("\(expected) behind %{\(field.rawValue)}, not :\(text.shownAsKey)")
    }
}
