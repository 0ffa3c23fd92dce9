/// A value that is written as JSON (RFC 8259).
indirect enum JSONText {
    case text(String)
    case whole(Int64)
    case number(Double)
    case flag(Bool)
    case list([JSONText])
    /// Members in order; absent ones are left out.
    case object([(String, JSONText?)])

    /// The JSON text.
    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .text(let value): Self.write(value, to: &text)
        case .whole(let value): text += "\(value)"
        case .number(let value): text += value.isFinite ? "\(value)" : "null"
        case .flag(let value): text += "\(value)"
        case .list(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            var isFirst = true
            for case (let name, let value?) in members {
                if !isFirst { text += "," }
                isFirst = false
                Self.write(name, to: &text)
                text += ":"
                value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
