internal import TrackEngine

/// The entities that XML defines without a DTD (XML 1.0 section 4.6), and character references.
enum XMLEntity {
    /// The character of an entity's name, without `&` and `;`; `nil` for any other name.
    static func character(named name: Span<UInt8>) -> Character? {
        if name.equals("lt") { return "<" }
        if name.equals("gt") { return ">" }
        if name.equals("amp") { return "&" }
        if name.equals("quot") { return "\"" }
        if name.equals("apos") { return "'" }
        return reference(name).map(Character.init)
    }

    /// `#233` or `#xE9`.
    private static func reference(_ name: Span<UInt8>) -> Unicode.Scalar? {
        guard name.count > 1, name[0] == UInt8(ascii: "#") else { return nil }
        let isHexadecimal = name[1] == UInt8(ascii: "x")
        let digits = (isHexadecimal ? 2 : 1)..<name.count
        guard !digits.isEmpty, digits.count <= 8 else { return nil }
        var code: UInt32 = 0
        for index in digits {
            guard let digit = name[index].hexadecimalDigit, isHexadecimal || digit < 10 else { return nil }
            code = code &* (isHexadecimal ? 16 : 10) &+ UInt32(digit)
        }
        return Unicode.Scalar(code)
    }
}

extension UInt8 {
    /// Whether the byte may begin a name in XML. All bytes of characters beyond ASCII may.
    var beginsName: Bool {
        let letter = self | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) || self == UInt8(ascii: "_") || self >= 0x80
    }

    /// Whether the byte may occur within a name.
    var isInName: Bool {
        beginsName || self &- UInt8(ascii: "0") < 10 || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
            || self == UInt8(ascii: ":")
    }
}
