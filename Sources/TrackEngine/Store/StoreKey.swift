/// The key that a store, and the histories beside it, are encrypted under: 32 bytes of chance.
///
/// Keep it apart from the store: whoever has both can read everything. Without it nobody can, also not its owner.
public struct StoreKey: Sendable, Hashable {
    /// What a text has to be, in words that complete "expected …".
    package static let expectation =
        "32 bytes as 64 hexadecimal digits or as base64, as openssl rand -hex 32 prints them"

    /// How many bytes a key has.
    package static let length = 32

    package let bytes: [UInt8]

    /// A key of 32 bytes; `nil` for any other number.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads 64 hexadecimal digits or 44 characters of base64 (43 without its padding); white space around them does not
    /// count. `nil` for anything else.
    public init?(_ text: Secret) {
        let digits = text.revealed.utf8.filter { !" \t\r\n".utf8.contains($0) }
        guard let bytes = Self.hexadecimal(digits) ?? Self.base64(digits) else { return nil }
        self.init(bytes: bytes)
    }

    /// A key of chance, from the system's source of it.
    public static func random() -> StoreKey {
        var generator = SystemRandomNumberGenerator()
        return StoreKey((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// 64 hexadecimal digits.
    public var hexadecimal: Secret {
        Secret(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }
}

extension StoreKey: CustomStringConvertible, CustomReflectable {
    /// Three asterisks.
    public var description: String { "***" }
    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Texts

extension StoreKey {
    private static func hexadecimal(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count == 2 * Self.length else { return nil }
        var bytes: [UInt8] = []
        for pair in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[pair]), let low = value(digits[pair + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes

        func value(_ digit: UInt8) -> UInt8? {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
            default: nil
            }
        }
    }

    private static func base64(_ digits: [UInt8]) -> [UInt8]? {
        let text = String(decoding: digits, as: UTF8.self)
        return Base64.decoded(digits.count == 43 ? text + "=" : text)
    }
}
