/// Numbers in SQLite's file format (https://sqlite.org/fileformat2.html): big-endian, or of variable length.
///
/// Every function returns `nil` beyond the end of the bytes, so no input can crash the program.
package enum FileFormat {
    /// A big-endian number of two bytes.
    package static func short(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
        guard offset >= 0, offset + 2 <= bytes.count else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    /// The offset of a cell in its page's table. SQLite ignores bits beyond the page.
    package static func cellOffset(_ page: UnsafeRawBufferPointer, at offset: Int) -> Int? {
        short(page, at: offset).map { $0 & (page.count - 1) }
    }

    /// A big-endian number of four bytes.
    package static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32? {
        guard offset >= 0, offset + 4 <= bytes.count else { return nil }
        return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// A signed big-endian number of one to eight bytes (section 2.1, serial types 1 to 6).
    package static func integer(_ bytes: UnsafeRawBufferPointer, at offset: Int, width: Int) -> Int64? {
        guard offset >= 0, width >= 1, width <= 8, offset + width <= bytes.count else { return nil }
        var value = Int64(Int8(bitPattern: bytes[offset]))
        for index in offset + 1..<offset + width { value = value << 8 | Int64(bytes[index]) }
        return value
    }

    /// A number of variable length (section 1.6): seven bits a byte, the highest first, all eight of a ninth byte.
    package static func variable(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (value: Int64, length: Int)? {
        guard offset >= 0, offset < bytes.count else { return nil }
        var value: UInt64 = 0
        for index in 0..<8 {
            guard offset + index < bytes.count else { return nil }
            let byte = bytes[offset + index]
            value = value << 7 | UInt64(byte & 0x7f)
            if byte < 0x80 { return (Int64(bitPattern: value), index + 1) }
        }
        guard offset + 8 < bytes.count else { return nil }
        return (Int64(bitPattern: value << 8 | UInt64(bytes[offset + 8])), 9)
    }
}
