/// A receiver's text in a form that may be shown, logged and stored: short and without control characters.
package enum ReceiverText {
    /// The maximum number of characters of a reason.
    static let longestReason = 400
    /// The maximum number of characters of a receiver's own text.
    package static let longestWords = 200

    /// Returns a reason for storage, at most ``longestReason`` characters in one line.
    package static func bounded(_ reason: String) -> String {
        oneLine(reason, atMost: longestReason)
    }

    /// Returns a text in one line: control characters and runs of blanks become one blank, the rest is cut with "…".
    package static func oneLine(_ text: String, atMost limit: Int) -> String {
        var line = String.UnicodeScalarView()
        var count = 0
        var isBlankDue = false
        for scalar in text.unicodeScalars {
            if isBlank(scalar) {
                isBlankDue = count > 0
                continue
            }
            guard count + (isBlankDue ? 1 : 0) < limit else {
                line.append("…")
                break
            }
            if isBlankDue {
                line.append(" ")
                count += 1
            }
            isBlankDue = false
            line.append(scalar)
            count += 1
        }
        return String(line)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .privateUse: true
        default: false
        }
    }
}
