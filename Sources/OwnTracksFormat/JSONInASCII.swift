extension [UInt8] {
    /// A JSON document with each character beyond ASCII as `\uXXXX`, or as two of these beyond U+FFFF (RFC 8259
    /// section 7). Only texts can contain such characters. Traccar reads OwnTracks' messages as US-ASCII and rejects
    /// the remains of such a character.
    var jsonInASCII: [UInt8] {
        guard contains(where: { $0 >= 0x80 }) else { return self }
        let digits = [UInt8]("0123456789abcdef".utf8)
        var ascii: [UInt8] = []
        ascii.reserveCapacity(count + 64)
        for unit in String(decoding: self, as: UTF8.self).utf16 {
            guard unit >= 0x80 else {
                ascii.append(UInt8(unit))
                continue
            }
            ascii += "\\u".utf8
            for shift in [12, 8, 4, 0] { ascii.append(digits[Int(unit >> shift) & 15]) }
        }
        return ascii
    }
}
