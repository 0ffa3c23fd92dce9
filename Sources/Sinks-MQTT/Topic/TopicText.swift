/// The rules for text in the name of a topic, slightly stricter than MQTT 5 (sections 1.5.4 and 4.7).
///
/// Every broker ends the connection on a wildcard in a topic that is published to. An empty level is a `/` too many,
/// `$` begins the broker's own topics, and mosquitto accepts no control characters. All of these are refused here,
/// where the user still sees the reason. At the broker they would look like a network failure.
package enum TopicText {
    /// The longest topic, in bytes of UTF-8. MQTT allows 65 535; a topic longer than this is a mistake, and brokers
    /// have lower limits, too (AWS IoT Core: 256).
    package static let maximumLength = TopicName.maximumLength

    /// The longest name of a base, a device or a user, in bytes; two of them leave room for the rest of a topic.
    static let maximumNameLength = 200

    /// The problem of the name of one level, as the end of "expected …"; `nil` if it is valid.
    package static func problem(inLevel level: String) -> String? {
        if level.isEmpty { return "a name that is not empty" }
        if level.contains("/") { return "one level of a topic, without /" }
        return characterProblem(level)
    }

    /// The problem of a whole topic, except its length; `nil` if it is valid.
    package static func problem(inTopic topic: String) -> String? {
        if topic.isEmpty { return "a topic that is not empty" }
        if topic.hasPrefix("$") { return "a topic that does not begin with $, as the broker's own do" }
        if topic.split(separator: "/", omittingEmptySubsequences: false).contains("") {
            return "no empty level: no / at either end, no //"
        }
        return characterProblem(topic)
    }

    private static func characterProblem(_ text: String) -> String? {
        if text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) {
            return "no + and no #, which are wildcards"
        }
        return text.unicodeScalars.allSatisfy(isAllowed)
            ? nil : "text without NUL, control characters and non-characters"
    }

    /// Whether a character is allowed. Control characters are U+0000 to U+001F and U+007F to U+009F; non-characters
    /// are U+FDD0 to U+FDEF and the last two of each plane.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1f, 0x7f...0x9f, 0xfdd0...0xfdef: false
        default: scalar.value & 0xfffe != 0xfffe
        }
    }

    /// The longest result of ``level(escaping:)``, in bytes of UTF-8.
    static let maximumEscapedLength = 64

    /// Escapes a text as one level: each byte of a character that a level must not contain becomes `%` and two
    /// hexadecimal digits, as does `%` itself. Different texts stay different, except for text cut off after
    /// ``maximumEscapedLength``.
    package static func level(escaping text: String) -> String {
        let isPlain = problem(inLevel: text) == nil && !text.contains("%")
        if isPlain, text.utf8.count <= maximumEscapedLength { return text }
        var level = ""
        for scalar in text.unicodeScalars.prefix(maximumEscapedLength) {
            let isPlain = isAllowed(scalar) && !["+", "#", "/", "%"].contains(scalar)
            let piece = isPlain ? String(scalar) : String(scalar).utf8.map(percentEncoded).joined()
            guard level.utf8.count + piece.utf8.count <= maximumEscapedLength else { break }
            level += piece
        }
        return level.isEmpty ? "%" : level
    }

    private static func percentEncoded(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return (byte < 16 ? "%0" : "%") + digits
    }

    /// A text for a message: bounded, in quotes, and without characters that move a cursor.
    static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let head = String(String.UnicodeScalarView(scalars.prefix(80).map { isAllowed($0) ? $0 : "\u{fffd}" }))
        return "\"" + head + (scalars.count > 80 ? "…" : "") + "\""
    }
}

/// Rules for the names of topics that are published to (MQTT 5 section 4.7).
package enum TopicName {
    /// The longest accepted topic, in bytes; brokers accept 65 535, but no more than 200 levels.
    package static let maximumLength = 512

    /// Whether clients may publish on the topic: no wildcards, no control characters, and not a topic of the broker
    /// (`$SYS`).
    package static func isValid(_ topic: String) -> Bool {
        (1...maximumLength).contains(topic.utf8.count) && !topic.hasPrefix("$")
            && topic.unicodeScalars.allSatisfy { scalar in
                scalar != "+" && scalar != "#" && scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
            }
    }

    /// The expectation for a topic, as the end of "expected …".
    package static let expectation =
        "a topic of 1 to 512 bytes without +, # and control characters, not beginning with $"
}
