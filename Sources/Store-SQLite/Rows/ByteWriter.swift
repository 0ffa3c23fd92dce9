/// Bytes in the making: little-endian numbers and texts that carry their length, in memory that somebody else owns.
///
/// Whoever makes one says how much room there is; ``RecordCodec/room(for:)`` tells how much a record needs. Growing an
/// array for each number would take longer than all the rest of the encoding.
struct ByteWriter {
    private let memory: UnsafeMutableRawBufferPointer
    /// How many bytes there are so far.
    private(set) var count = 0

    init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    /// Makes an array of what `body` writes.
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

    /// UTF-8 after its length in two bytes; what is longer than 65 535 bytes is cut between characters.
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

    /// Adds room for an authenticator to what has been written from an offset on, and returns both, with the bytes that it is
    /// bound to.
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
        precondition(position + 4 <= count, "nothing has been written there")
        put(number, at: position)
    }

    private func put<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at position: Int) {
        memory.storeBytes(of: number.littleEndian, toByteOffset: position, as: Number.self)
    }

    /// Advances by so many bytes and returns where they begin. Too little room is a mistake in this module, whatever
    /// the data: it ends the program before a byte is written beyond the end.
    private mutating func advance(by size: Int) -> Int {
        precondition(size <= memory.count - count, "more bytes than there is room for")
        defer { count += size }
        return count
    }
}
