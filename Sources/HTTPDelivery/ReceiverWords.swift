import TrackEngine

/// What a receiver says about a failure, fit to be shown, logged and kept beside a record.
package enum ReceiverWords {
    /// How much of a body is looked at, in bytes.
    private static let sample = 4096

    /// The first characters of a body in one line, without markup; `nil` when there are none.
    ///
    /// - Parameter secrets: texts that must not show, should the receiver repeat them. Fractions with three digits or more
    ///   are hidden, too: they may be a position.
    package static func of(_ body: [UInt8], hiding secrets: [String]) -> String? {
        var text = String(decoding: body.prefix(sample), as: UTF8.self)
        for secret in secrets where !secret.isEmpty { text = text.replacing(secret, with: "***") }
        if text.contains("<"), text.contains(">") { text = withoutMarkup(text) }
        let line = ReceiverText.oneLine(withoutFractions(text), atMost: ReceiverText.longestWords)
        return line.isEmpty ? nil : line
    }

    /// The text between the tags, without what `style` and `script` hold.
    private static func withoutMarkup(_ page: String) -> String {
        var text = ""
        var rest = page[...]
        while let open = rest.firstIndex(of: "<") {
            text += rest[..<open] + " "
            let name = rest[open...].dropFirst().prefix { $0.isLetter }.lowercased()
            guard let close = rest[open...].firstIndex(of: ">") else { return text }
            rest = rest[close...].dropFirst()
            if name == "style" || name == "script" {
                guard let end = rest.firstRange(of: "</") else { return text }
                rest = rest[end.lowerBound...]
            }
        }
        return text + rest
    }

    private static func withoutFractions(_ text: String) -> String {
        var shown = ""
        var rest = text[...]
        while let point = rest.firstIndex(of: ".") {
            let digits = rest[point...].dropFirst().prefix { $0.isASCII && $0.isNumber }
            shown += rest[..<point]
            shown += digits.count < 3 ? "." + digits : ".…"
            rest = rest[digits.endIndex...]
        }
        return shown + rest
    }
}
