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

    /// As for any sequence, but faster.
    package mutating func combine(_ bytes: [UInt8]) { bytes.withUnsafeBytes { combine($0) } }

    /// As for any sequence, eight bytes at a step, because each step waits for the one before.
    ///
    /// "Slicing by 8" (M. Kounavis, F. Berry, "Novel table lookup-based algorithms for high-performance CRC generation",
    /// 2008): table `k` holds what a byte leaves behind when `k` zero bytes follow it.
    package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        let whole = bytes.count & ~7
        remainder = Self.slices.withUnsafeBufferPointer { slices in
            stride(from: 0, to: whole, by: 8).reduce(remainder) { remainder, start in
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
                return Self.remainder(word ^ UInt64(remainder), slices)
            }
        }
        for byte in bytes[whole...] { combine(byte: byte) }
    }

    /// The number's eight bytes, least significant first.
    package mutating func combine(_ number: Int64) {
        let word = UInt64(bitPattern: number) ^ UInt64(remainder)
        remainder = Self.slices.withUnsafeBufferPointer { Self.remainder(word, $0) }
    }

    /// What is left of eight bytes that were combined with the remainder before. The last of them is followed by none.
    @inline(__always)  // a call a step would be half of its time
    private static func remainder(_ mixed: UInt64, _ slices: UnsafeBufferPointer<UInt32>) -> UInt32 {
        func slice(_ following: Int, _ shift: UInt64) -> UInt32 { slices[following << 8 + Int(mixed >> shift & 0xff)] }
        return slice(7, 0) ^ slice(6, 8) ^ slice(5, 16) ^ slice(4, 24)
            ^ slice(3, 32) ^ slice(2, 40) ^ slice(1, 48) ^ slice(0, 56)
    }

    private mutating func combine(byte: UInt8) {
        remainder = remainder >> 8 ^ Self.table[Int((remainder ^ UInt32(byte)) & 0xff)]
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }

    private static let slices: [UInt32] = {
        var slices = table
        for _ in 1..<8 { slices += slices.suffix(256).map { $0 >> 8 ^ table[Int($0 & 0xff)] } }
        return slices
    }()
}
