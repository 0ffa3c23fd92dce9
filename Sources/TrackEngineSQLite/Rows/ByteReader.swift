/// Reads the output of a ``ByteWriter``; any other bytes lead to an error, never to a trap.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// Advances by a number of bytes and returns their offset.
    private mutating func advance(by count: Int) throws(CodecError) -> Int {
        guard bytes.count - position >= count else { throw .truncated }
        defer { position += count }
        return position
    }

    mutating func read<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(CodecError) -> Number {
        let size = MemoryLayout<Number>.size
        let start = try advance(by: size)
        return bytes.withUnsafeBytes { raw in
            Number(littleEndian: raw.loadUnaligned(fromByteOffset: start, as: Number.self))
        }
    }

    mutating func readDouble() throws(CodecError) -> Double { Double(bitPattern: try read()) }
    mutating func readFloat() throws(CodecError) -> Float { Float(bitPattern: try read()) }

    mutating func readBytes(_ count: Int) throws(CodecError) -> ArraySlice<UInt8> {
        let start = try advance(by: count)
        return bytes[start..<start + count]
    }

    mutating func readText() throws(CodecError) -> String {
        let count = Int(try read(UInt16.self))
        let start = try advance(by: count)
        guard let text = String(validating: bytes[start..<start + count], as: UTF8.self) else { throw .notText }
        return text
    }
}

/// The reason why bytes are not a valid record.
package enum CodecError: Error, Hashable {
    /// The bytes end before the record does.
    case truncated
    /// There are bytes after the end of the record.
    case trailingBytes
    /// A text is not valid UTF-8.
    case notText
    /// A format version that this release does not support.
    case unknownVersion(UInt8)
    /// An unknown value of an enumeration.
    case unknownValue(UInt8)
}
