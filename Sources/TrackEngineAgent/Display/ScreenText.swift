/// A piece of text with a tone, which becomes a colour if the screen has colours.
struct ScreenText: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The tone of a piece of text.
    enum Style: Sendable, Hashable {
        case plain
        case strong
        case faint
        case good
        case warning
        case bad

        /// The parameter of "select graphic rendition" (ECMA-48 section 8.3.117).
        fileprivate var rendition: String? {
            switch self {
            case .plain: nil
            case .strong: "1"
            case .faint: "2"
            case .good: "32"
            case .warning: "33"
            case .bad: "31"
            }
        }
    }

    var text: String
    var tone: Style

    init(_ text: String, _ tone: Style = .plain) {
        self.text = text
        self.tone = tone
    }

    init(stringLiteral value: String) { self.init(value) }

    /// The text with its colour, if the style has colours. Control characters, which could be commands to the
    /// terminal, are shown as `?`.
    func rendered(_ style: StatusStyle) -> String {
        let text = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl ? "?" : $0 }))
        guard style.usesColour, let rendition = tone.rendition else { return text }
        return "\u{1b}[\(rendition)m\(text)\u{1b}[0m"
    }
}

extension [ScreenText] {
    /// Arranges the pieces one after the other, two blanks apart, on lines of at most the style's columns, after a
    /// label.
    ///
    /// A piece that is longer than a line is cut, with `…` as its last character.
    func lines(behind label: ScreenText, indent: Int, _ style: StatusStyle) -> [String] {
        var lines: [String] = []
        let start = label.rendered(style) + String(repeating: " ", count: Swift.max(1, indent - label.text.count))
        var line = start
        var column = Swift.max(indent, label.text.count + 1)
        var isEmpty = true
        for piece in self {
            let gap = isEmpty ? 0 : 2
            if !isEmpty, column + gap + piece.text.count > style.columns {
                lines.append(line)
                line = String(repeating: " ", count: indent) + piece.cut(to: style.columns - indent).rendered(style)
                column = indent + Swift.min(piece.text.count, style.columns - indent)
            } else {
                line += String(repeating: " ", count: gap) + piece.cut(to: style.columns - column - gap).rendered(style)
                column += gap + Swift.min(piece.text.count, style.columns - column - gap)
            }
            isEmpty = false
        }
        return lines + [line]
    }
}

extension ScreenText {
    /// The text in pieces of at most `width` characters, broken between words: for text that must be read completely.
    func wrapped(to width: Int) -> [ScreenText] {
        var pieces: [String] = []
        for word in text.split(separator: " ") {
            if let last = pieces.last, last.count + 1 + word.count <= width {
                pieces[pieces.count - 1] = "\(last) \(word)"
            } else {
                pieces.append(String(word))
            }
        }
        return pieces.map { ScreenText($0, tone) }
    }

    func cut(to width: Int) -> ScreenText {
        guard text.count > width else { return self }
        return ScreenText(String(text.prefix(Swift.max(0, width - 1))) + "…", tone)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7f...0x9f).contains(value) }
}
