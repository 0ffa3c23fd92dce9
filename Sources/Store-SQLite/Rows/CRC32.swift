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

    /// As for any sequence, four bytes at a step, because each step waits for the one before.
    ///
    /// "Slicing by 4" (M. Kounavis, F. Berry, "Novel table lookup-based algorithms for high-performance CRC generation",
    /// 2008): table `k` holds what a byte leaves behind when `k` zero bytes follow it.
    package mutating func combine(_ bytes: [UInt8]) {
        var remainder = remainder
        var index = 0
        Self.slices.withUnsafeBufferPointer { slices in
            while index + 4 <= bytes.count {
                let word =
                    UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
                    | UInt32(bytes[index + 3]) << 24
                remainder = Self.remainder(remainder ^ word, slices)
                index += 4
            }
        }
        self.remainder = remainder
        for byte in bytes[index...] { combine(byte: byte) }
    }

    /// The number's eight bytes, least significant first.
    package mutating func combine(_ number: Int64) {
        let bits = UInt64(bitPattern: number)
        remainder = Self.slices.withUnsafeBufferPointer { slices in
            let half = Self.remainder(remainder ^ UInt32(truncatingIfNeeded: bits), slices)
            return Self.remainder(half ^ UInt32(truncatingIfNeeded: bits >> 32), slices)
        }
    }

    /// What is left of four bytes that were combined with the remainder before.
    private static func remainder(_ mixed: UInt32, _ slices: UnsafeBufferPointer<UInt32>) -> UInt32 {
        slices[768 + Int(mixed & 0xff)] ^ slices[512 + Int(mixed >> 8 & 0xff)]
            ^ slices[256 + Int(mixed >> 16 & 0xff)] ^ slices[Int(mixed >> 24)]
    }

    private mutating func combine(byte: UInt8) {
        remainder = remainder >> 8 ^ Self.table[Int((remainder ^ UInt32(byte)) & 0xff)]
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }

    private static let slices: [UInt32] = {
        var slices = table
        for _ in 1..<4 { slices += slices.suffix(256).map { $0 >> 8 ^ table[Int($0 & 0xff)] } }
        return slices
    }()
}
