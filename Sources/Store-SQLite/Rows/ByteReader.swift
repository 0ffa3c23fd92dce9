/// Reads what a ``ByteWriter`` wrote; any other bytes give an error, never a trap.
struct ByteReader<Bytes: RandomAccessCollection<UInt8>> {
    private var rest: Bytes.SubSequence

    init(_ bytes: Bytes) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func read<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(CodecError) -> Number {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { throw .truncated }
        let number = rest.prefix(size).reversed().reduce(Number.zero) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        rest = rest.dropFirst(size)
        return number
    }

    mutating func readDouble() throws(CodecError) -> Double { Double(bitPattern: try read()) }
    mutating func readFloat() throws(CodecError) -> Float { Float(bitPattern: try read()) }

    mutating func readText() throws(CodecError) -> String {
        let count = Int(try read(UInt16.self))
        guard rest.count >= count else { throw .truncated }
        guard let text = String(validating: rest.prefix(count), as: UTF8.self) else { throw .notText }
        rest = rest.dropFirst(count)
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
