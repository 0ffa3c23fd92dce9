import Glibc

/// Addresses with the same first bits: `10.0.0.0/8`, `2001:db8::/32`, or a single address (RFC 4632, RFC 4291 section
/// 2.3).
package struct NetworkRange: Sendable, Hashable {
    private let bytes: [UInt8]
    /// The number of the bits that have to be the same.
    private let length: Int

    /// Reads a range; `nil` for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bytes = Self.bytes(of: String(first)) else { return nil }
        var length = bytes.count * 8
        if parts.count == 2 {
            guard let given = Int(parts[1]), (0...length).contains(given), parts[1].utf8.allSatisfy(\.isDigit) else {
                return nil
            }
            length = given
        }
        self.bytes = bytes
        self.length = length
    }

    /// Returns whether the range has an address. An IPv4 address within IPv6 (`::ffff:10.0.0.1`) counts as the IPv4
    /// address.
    package func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        let (whole, rest) = length.quotientAndRemainder(dividingBy: 8)
        guard bytes[..<whole] == other[..<whole] else { return false }
        return rest == 0 || (bytes[whole] ^ other[whole]) >> (8 - rest) == 0
    }

    /// The part of an address that one household has: one address of IPv4, and 64 bits of IPv6 (RFC 6177).
    static func household(of address: String) -> [UInt8] {
        guard let bytes = bytes(of: address) else { return [] }
        return Array(bytes.prefix(bytes.count == 4 ? 4 : 8))
    }

    private static func bytes(of address: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, address, &bytes) == 1 { return Array(bytes[..<4]) }
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return nil }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
        return isMapped ? Array(bytes[12...]) : bytes
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
