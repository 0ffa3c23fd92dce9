import TrackEngine

extension [UInt8] {
    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Appends text as XML 1.0 character data or attribute value.
    ///
    /// Characters that XML does not allow (most control characters, U+FFFE, U+FFFF; section 2.2) become U+FFFD.
    package mutating func appendXML(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "'": append("&apos;")
            case "\t", "\n": append(UInt8(ascii: scalar))
            case "\r": append("&#13;")  // an unescaped one would be read as a line feed
            case "\u{0}"..."\u{1f}", "\u{fffe}", "\u{ffff}": append("\u{fffd}")
            default: append(contentsOf: UTF8.encode(scalar)?.map { $0 } ?? [])  // every scalar has an encoding
            }
        }
    }

    /// Appends an XML element with a number in it; no element for `nil`.
    package mutating func appendXML(_ name: StaticString, _ value: Double?, decimals: Int) {
        guard let value else { return }
        appendXML(name) { $0.appendFixed(value, decimals: decimals) }
    }

    /// Appends an XML element.
    package mutating func appendXML(_ name: StaticString, _ content: (inout [UInt8]) -> Void) {
        append("<")
        append(name)
        append(">")
        content(&self)
        append("</")
        append(name)
        append(">")
    }

    /// Appends a time with milliseconds if they are exact, otherwise with nanoseconds.
    mutating func appendExact(_ time: Timestamp) {
        let isWhole = time.nanosecondsInSecond % 1_000_000 == 0
        time.appendRFC3339(to: &self, isWhole ? .milliseconds : .nanoseconds)
    }

    /// Appends a number with exactly the given number of decimals (1 to 9) and at least the given number of digits
    /// before them. A number that does not fit into 18 digits is left out.
    mutating func appendPadded(_ value: Double, digits: Int = 1, decimals: Int) {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        guard let scaled = Int64(exactly: (value.magnitude * scale).rounded(.toNearestOrAwayFromZero)) else { return }
        if value < 0, scaled > 0 { append(UInt8(ascii: "-")) }
        let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: Int64(scale))
        appendDecimal(whole, digits: digits)
        append(UInt8(ascii: "."))
        appendDecimal(fraction, digits: decimals)
    }
}
