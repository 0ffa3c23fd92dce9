/// The encryption key of a store and of the histories next to it: 32 random bytes.
///
/// Keep it apart from the store: both together give access to all data. Without the key the data is lost, even to its
/// owner.
public struct StoreKey: Sendable, Hashable {
    /// The expected form of a text, in words that complete "expected …".
    package static let expectation =
        "32 bytes as 64 hexadecimal digits or as base64, as openssl rand -hex 32 prints them"

    /// The number of bytes in a key.
    package static let length = 32

    package let bytes: [UInt8]

    /// Creates a key of 32 bytes; `nil` for any other number.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads 64 hexadecimal digits or 44 characters of base64 (43 without padding), ignoring white space. `nil` for any
    /// other text.
    public init?(_ text: Secret) {
        let digits = text.revealed.utf8.filter { !" \t\r\n".utf8.contains($0) }
        guard let bytes = Self.hexadecimal(digits) ?? Self.base64(digits) else { return nil }
        self.init(bytes: bytes)
    }

    /// Returns a random key from the system's random number generator.
    public static func random() -> StoreKey {
        var generator = SystemRandomNumberGenerator()
        return StoreKey((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The key as 64 hexadecimal digits.
    public var hexadecimal: Secret {
        Secret(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }
}

extension StoreKey: CustomStringConvertible, CustomReflectable {
    /// Three asterisks.
    public var description: String { "***" }
    /// Empty.
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
