/// Names in the alphabet of Home Assistant's object ids, `[a-zA-Z0-9_-]`.
package enum HomeAssistantID {
    /// A text in that alphabet, different for different texts: `_` is doubled, and each byte outside the alphabet becomes
    /// `_` and two hexadecimal digits.
    ///
    /// | text | id |
    /// |---|---|
    /// | `van-7` | `van-7` |
    /// | `van_7` | `van__7` |
    /// | `van 7` | `van_207` |
    /// | `ü` | `_C3_BC` |
    package static func escaping(_ text: String) -> String {
        var id: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                id.append(byte)
            case UInt8(ascii: "_"):
                id += "__".utf8
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                id += (byte < 16 ? "_0\(digits)" : "_\(digits)").utf8
            }
        }
        return String(decoding: id, as: UTF8.self)
    }
}
