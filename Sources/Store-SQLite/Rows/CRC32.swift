/// The cyclic redundancy check of IEEE 802.3, as zlib and gzip compute it: polynomial 0xEDB88320 (reflected), initial
/// value and final inversion of all ones. The check value of "123456789" is 0xCBF43926.
package struct CRC32 {
    private var remainder: UInt32 = 0xffff_ffff

    package init() {}

    /// The check of all bytes so far.
    package var value: UInt32 { ~remainder }

    package mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { combine(byte: byte) }
    }

    /// As for any sequence; an array's bytes are walked without a check for each.
    package mutating func combine(_ bytes: [UInt8]) {
        var remainder = remainder
        Self.table.withUnsafeBufferPointer { table in
            for byte in bytes { remainder = remainder >> 8 ^ table[Int((remainder ^ UInt32(byte)) & 0xff)] }
        }
        self.remainder = remainder
    }

    /// The number's eight bytes, least significant first.
    package mutating func combine(_ number: Int64) {
        let bits = UInt64(bitPattern: number)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { combine(byte: UInt8(truncatingIfNeeded: bits >> shift)) }
    }

    private mutating func combine(byte: UInt8) {
        remainder = remainder >> 8 ^ Self.table[Int((remainder ^ UInt32(byte)) & 0xff)]
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }
}
