/// Numbers as SQLite's file format has them (https://sqlite.org/fileformat2.html): big-endian, or of variable length.
///
/// Every function returns `nil` for what lies beyond the bytes that there are; no bytes can end the program.
enum FileFormat {
    /// A big-endian number of two bytes.
    @inline(__always)
    static func short(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int? {
        guard place >= 0, place + 2 <= bytes.count else { return nil }
        return Int(bytes[place]) << 8 | Int(bytes[place + 1])
    }

    /// A big-endian number of four bytes.
    @inline(__always)
    static func word(_ bytes: UnsafeRawBufferPointer, at place: Int) -> UInt32? {
        guard place >= 0, place + 4 <= bytes.count else { return nil }
        return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }

    /// A signed big-endian number of one to eight bytes (section 2.1, serial types 1 to 6).
    @inline(__always)
    static func integer(_ bytes: UnsafeRawBufferPointer, at place: Int, width: Int) -> Int64? {
        guard place >= 0, width >= 1, width <= 8, place + width <= bytes.count else { return nil }
        var value = Int64(Int8(bitPattern: bytes[place]))
        for index in place + 1..<place + width { value = value << 8 | Int64(bytes[index]) }
        return value
    }

    /// A number of variable length (section 1.6): seven bits a byte, the highest first, all eight of a ninth byte.
    @inline(__always)
    static func variable(_ bytes: UnsafeRawBufferPointer, at place: Int) -> (value: Int64, length: Int)? {
        guard place >= 0, place < bytes.count else { return nil }
        var value: UInt64 = 0
        for index in 0..<8 {
            guard place + index < bytes.count else { return nil }
            let byte = bytes[place + index]
            value = value << 7 | UInt64(byte & 0x7f)
            if byte < 0x80 { return (Int64(bitPattern: value), index + 1) }
        }
        guard place + 8 < bytes.count else { return nil }
        return (Int64(bitPattern: value << 8 | UInt64(bytes[place + 8])), 9)
    }
}
