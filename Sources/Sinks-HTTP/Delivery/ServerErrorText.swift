import TrackEngine

/// A server's own description of a failure, made fit to be shown, logged and saved with a record.
package enum ServerErrorText {
    /// The part of a body that is examined, in bytes.
    private static let sample = 4096

    /// The first characters of a body in one line, without markup; `nil` if there are none.
    ///
    /// - Parameter secrets: texts that must not be shown even if the server repeats them. Fractions with three
    ///   digits or more are hidden, too: they may be a position.
    package static func of(_ body: [UInt8], hiding secrets: [String]) -> String? {
        var text = String(decoding: body.prefix(sample), as: UTF8.self)
        for secret in secrets where !secret.isEmpty { text = text.replacing(secret, with: "***") }
        if text.contains("<"), text.contains(">") { text = withoutMarkup(text) }
        let line = ReceiverText.oneLine(withoutFractions(text), atMost: ReceiverText.longestWords)
        return line.isEmpty ? nil : line
    }

    /// The text between the tags, without the contents of `style` and `script`.
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
