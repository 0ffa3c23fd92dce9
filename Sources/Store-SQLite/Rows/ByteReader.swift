/// Reads what a ``ByteWriter`` wrote; any other bytes give an error, never a trap.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// Advances by so many bytes and returns where they begin.
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

/// Why bytes are no record.
package enum CodecError: Error, Hashable {
    /// They end before the record does.
    case truncated
    /// They go on after its end.
    case trailingBytes
    /// A text is not UTF-8.
    case notText
    /// A format that this release does not know.
    case unknownVersion(UInt8)
    /// An enumeration has no such value.
    case unknownValue(UInt8)
}
