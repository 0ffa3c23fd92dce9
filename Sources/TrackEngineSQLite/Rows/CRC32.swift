internal import CZlib

/// The cyclic redundancy check of IEEE 802.3, as gzip uses it; zlib computes it. The check value of "123456789" is
/// 0xCBF43926.
package struct CRC32 {
    /// The check of all bytes so far.
    package private(set) var value: UInt32 = 0

    package init() {}

    package mutating func combine(_ bytes: some Sequence<UInt8>) {
        let isDone = bytes.withContiguousStorageIfAvailable { combine(UnsafeRawBufferPointer($0)) } != nil
        if !isDone { Array(bytes).withUnsafeBytes { combine($0) } }
    }

    package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        // Without an address zlib would start again.
        guard let start = bytes.baseAddress else { return }
        let next = crc32_z(uLong(value), start.assumingMemoryBound(to: Bytef.self), bytes.count)
        value = UInt32(truncatingIfNeeded: next)
    }

    /// The number's eight bytes, least significant first.
    package mutating func combine(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { combine($0) }
    }
}
