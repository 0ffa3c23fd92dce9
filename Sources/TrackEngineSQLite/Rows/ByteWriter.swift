/// Writes bytes into memory of the caller: little-endian numbers, and texts with their length.
///
/// The caller determines the capacity; ``RecordCodec/room(for:)`` is the capacity that a record needs. Growing an
/// array for each number would take longer than the rest of the encoding.
struct ByteWriter {
    private let memory: UnsafeMutableRawBufferPointer
    /// The number of bytes written so far.
    private(set) var count = 0

    init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    /// Returns the bytes that `body` writes as an array.
    static func array(room: Int, _ body: (inout ByteWriter) -> Void) -> [UInt8] {
        Array(unsafeUninitializedCapacity: room) { memory, count in
            var writer = ByteWriter(UnsafeMutableRawBufferPointer(memory))
            body(&writer)
            count = writer.count
        }
    }

    /// The bytes from an offset on.
    func bytes(from start: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[start..<count]) }

    @inline(__always)  // fourteen of them make a record, and the width is known where they are called
    mutating func write<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        put(number, at: advance(by: MemoryLayout<Number>.size))
    }

    mutating func write(_ number: Double) { write(number.bitPattern) }
    mutating func write(_ number: Float) { write(number.bitPattern) }

    /// Writes UTF-8 after its length in two bytes. A text of more than 65 535 bytes is cut between characters.
    mutating func write(_ text: String) {
        var text = text[...]
        while text.utf8.count > Int(UInt16.max) { text.removeLast() }
        write(UInt16(text.utf8.count))
        let start = advance(by: text.utf8.count)
        text.withUTF8 { memory[start..<count].copyBytes(from: $0) }
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        let start = advance(by: bytes.count)
        memory[start..<count].copyBytes(from: bytes)
    }

    /// Adds room for an authenticator to the bytes from an offset on. Returns both, with the bytes to which the
    /// authenticator is bound.
    mutating func closeSealed(
        from start: Int, context: Range<Int>
    ) -> (sealed: UnsafeMutableRawBufferPointer, context: UnsafeRawBufferPointer) {
        _ = advance(by: 16)
        return (
            UnsafeMutableRawBufferPointer(rebasing: memory[start..<count]),
            UnsafeRawBufferPointer(rebasing: memory[context])
        )
    }

    /// Overwrites the number at an offset.
    mutating func replace(at position: Int, with number: UInt32) {
        precondition(position + 4 <= count, "no bytes have been written there")
        put(number, at: position)
    }

    private func put<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at position: Int) {
        memory.storeBytes(of: number.littleEndian, toByteOffset: position, as: Number.self)
    }

    /// Advances by a number of bytes and returns their offset. A lack of room is a mistake in this module and does not
    /// depend on the data: it ends the program before a byte is written beyond the end.
    private mutating func advance(by size: Int) -> Int {
        precondition(size <= memory.count - count, "more bytes than there is room for")
        defer { count += size }
        return count
    }
}
