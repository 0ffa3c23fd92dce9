extension String {
    /// The text in quotes, on one line, cut after a number of characters.
    package func quoted(atMost limit: Int) -> String {
        var text = "\""
        for scalar in unicodeScalars.prefix(limit) {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where scalar.isControl: text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + (unicodeScalars.count > limit ? "…\"" : "\"")
    }

    /// Whether the text has a character that must not reach a terminal, a header or a file name.
    package var hasControlCharacter: Bool { unicodeScalars.contains(where: \.isControl) }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        value < 0x20 || (0x7f...0x9f).contains(value) || (0x2028...0x202e).contains(value)
            || (0x2066...0x2069).contains(value)
    }
}
