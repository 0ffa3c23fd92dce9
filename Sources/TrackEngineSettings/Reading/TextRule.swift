package import TrackEngine

/// A rule for texts.
public struct TextRule: Sendable {
    /// The expectation for a text, in words that complete "expected …".
    public let expectation: String
    /// Whether a text satisfies the rule.
    public let isSatisfied: @Sendable (String) -> Bool

    /// A rule.
    ///
    /// - Parameters:
    ///   - expectation: the expectation for a text, in words that complete "expected …".
    ///   - isSatisfied: whether a text satisfies the rule.
    public init(expectation: String, isSatisfied: @escaping @Sendable (String) -> Bool) {
        self.expectation = expectation
        self.isSatisfied = isSatisfied
    }

    /// Whether a text satisfies the rule.
    public func isSatisfied(by text: String) -> Bool { isSatisfied(text) }

    /// One line of text.
    ///
    /// Every text of a configuration must satisfy this rule, even if the sink accepts more, because texts are shown on
    /// terminals. Line separators and marks of writing direction could disguise a line.
    public static let line = TextRule(expectation: "1 to 4096 bytes of text without control characters") { text in
        (1...4096).contains(text.utf8.count) && !text.hasControlCharacter
    }

    /// A path that does not depend on the working directory.
    public static let absolutePath = TextRule(expectation: "an absolute path") { text in
        text.hasPrefix("/") && line.isSatisfied(text)
    }

    /// A path, which may depend on the working directory.
    ///
    /// Without a shell `~` is an ordinary name, and `false` probably means `null`. A file that really has such a name
    /// can be written as `./~`.
    public static let path = TextRule(expectation: "a path written in full: only a shell expands ~") { text in
        !text.hasPrefix("~") && !["true", "false", "yes", "no", "on", "off"].contains(text.lowercased())
            && line.isSatisfied(text)
    }

    /// A name of a source or sink. The store keeps a sink's cursor under it.
    public static let name = TextRule(
        expectation: "a name of 1 to 64 letters, digits, dashes and underscores, not digits alone"
    ) { text in
        let isPlain = text.utf8.allSatisfy { $0.isAlphanumeric || "-_".utf8.contains($0) }
        return isPlain && (1...64).contains(text.utf8.count) && Int(text) == nil
    }

    /// A host name, an IPv4 or an IPv6 address; an IPv6 address has at least two colons.
    public static let host = TextRule(expectation: "a host name or an IP address, without a port") { text in
        let isPlain = text.utf8.allSatisfy { $0.isAlphanumeric || "-_.:%".utf8.contains($0) }
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        return isPlain && colons != 1 && (1...253).contains(text.utf8.count)
    }

    /// A user name for HTTP basic authentication (RFC 7617), which has no colon.
    public static let user = TextRule(
        expectation: "1 to 256 bytes of text without a colon or control characters"
    ) { text in
        (1...256).contains(text.utf8.count) && !text.contains(":") && !text.hasControlCharacter
    }

    /// The name of a device for one server of Overland's format.
    public static let receiverDevice = TextRule(expectation: "a name of 1 to 256 bytes without control characters") {
        text in
        (1...256).contains(text.utf8.count) && !text.hasControlCharacter
    }

    /// The name of a device. It becomes a level of MQTT topics, so it has no `+`, `#` or `/`, and no noncharacter code
    /// points, which mosquitto refuses.
    public static let device = TextRule(
        expectation:
            "a name of 1 to 128 bytes without control characters, blanks at its ends, and characters that MQTT's "
            + "topics cannot hold: +, # and /"
    ) { text in
        (1...128).contains(text.utf8.count) && !text.hasControlCharacter && text.first != " " && text.last != " "
            && !text.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "/") }
            && !text.unicodeScalars.contains(where: \.properties.isNoncharacterCodePoint)
    }
}

extension ConfigurationCheck {
    /// Reports a text that does not satisfy a rule.
    package mutating func text(_ key: String, _ text: String, _ rule: TextRule) {
        if !rule.isSatisfied(by: text) { problem(key, text.quoted(atMost: 64), rule.expectation) }
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter or digit.
    package var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
