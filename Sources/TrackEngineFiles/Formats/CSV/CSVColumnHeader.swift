internal import TrackEngine

/// The parts of a table's heading: the column's name, and the following words with the unit.
///
/// `Speed (km/h)`, `speed_kmh`, `speedKmh` and `Speed, km/h` all are `speed` in km/h.
struct CSVColumnHeader {
    /// The name in lower case and with only letters and digits.
    private var name: [UInt8] = []
    /// The ends of the words in the name.
    private var wordEnds: [Int] = []
    /// The texts in brackets, or after them.
    private var remarks: [[UInt8]] = []

    /// Splits a heading.
    init(_ text: Span<UInt8>) {
        var isName = true
        var remark: [UInt8] = []
        for index in 0..<text.count {
            let byte = text[index]
            if Self.brackets.contains(byte) {
                isName = false
                remarks.append(remark)
                remark = []
            } else if isName {
                appendToName(byte, after: index > 0 ? text[index - 1] : nil)
            } else {
                remark.append(byte)
            }
        }
        remarks.append(remark)
        remarks = remarks.map { $0.span.copied($0.span.trimmedRange) }.filter { !$0.isEmpty }
    }

    static let brackets = Array("()[]".utf8)

    private mutating func appendToName(_ byte: UInt8, after previous: UInt8?) {
        let beginsWord = byte.isUppercaseASCII && previous?.isUppercaseASCII == false
        if beginsWord || !byte.isAlphanumericASCII, name.count > wordEnds.last ?? 0 { wordEnds.append(name.count) }
        if byte.isAlphanumericASCII { name.append(byte.lowercasedASCII) }
    }

    /// The meaning of a column's heading.
    enum Kind {
        /// The column, and the conversion of its numbers to the fix's unit; `nil` if they already have it.
        case column(CSVHeader.Column, CSVScale?)
        /// A column that would be used if its unit were known.
        case unknownUnit(CSVHeader.Column, unit: String)
    }

    /// Whether the heading is the name of a column without a unit.
    var isBare: Bool { remarks.isEmpty && CSVHeader.column(named: name.span) != nil }

    /// The meaning of the heading; `nil` for an unused column.
    var meaning: Kind? {
        if let column = CSVHeader.column(named: name.span) { return meaning(of: column, .one) }
        for end in wordEnds.reversed() {
            guard let column = CSVHeader.column(named: name.span.extracting(0..<end)) else { continue }
            let unit = name.span.extracting(end..<name.count)
            if let scale = column.quantity.scale(of: unit) { return meaning(of: column, scale) }
        }
        return nil
    }

    private func meaning(of column: CSVHeader.Column, _ named: CSVScale) -> Kind {
        var scale = named
        for remark in remarks {
            guard let found = Self.scale(of: remark, column.quantity), found == .one || scale == .one else {
                return .unknownUnit(column, unit: remark.span.text(in: 0..<min(remark.count, 24)))
            }
            if found != .one { scale = found }
        }
        return .column(column, scale == .one ? nil : scale)
    }

    /// The scale of a remark: of the whole remark, as in `ISO 8601`, or of each word, as in `m MSL`.
    private static func scale(of remark: [UInt8], _ quantity: CSVQuantity) -> CSVScale? {
        if let scale = quantity.scale(of: unit(remark[...]).span) { return scale }
        var found = CSVScale.one
        for word in remark.split(whereSeparator: { $0.isWhiteSpace || $0 == UInt8(ascii: ",") }) {
            guard let scale = quantity.scale(of: unit(word).span) else { return nil }
            guard scale == .one || found == .one else { return nil }
            if scale != .one { found = scale }
        }
        return found
    }

    /// A unit in the form of the lookup tables: `km/h` and `[km/h]` are `kmh`, and `°` is `deg`, also in Latin-1.
    static func unit(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let (degree, lead): (UInt8, UInt8) = (0xb0, 0xc2)
        let marks = Array(" /._-".utf8) + brackets
        return text.filter { !marks.contains($0) && $0 != lead }.flatMap { byte in
            byte == degree ? Array("deg".utf8) : [byte.lowercasedASCII]
        }
    }
}

extension UInt8 {
    fileprivate var isUppercaseASCII: Bool { self &- UInt8(ascii: "A") < 26 }

    fileprivate var isAlphanumericASCII: Bool {
        lowercasedASCII &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10
    }
}
