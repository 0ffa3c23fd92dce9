/// Bytes in the making: little-endian numbers and texts that carry their length.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ number: Double) { write(number.bitPattern) }
    mutating func write(_ number: Float) { write(number.bitPattern) }

    /// UTF-8 after its length in two bytes; what is longer than 65 535 bytes is cut between characters.
    mutating func write(_ text: String) {
        var text = text[...]
        while text.utf8.count > Int(UInt16.max) { text.removeLast() }
        write(UInt16(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Puts a number in the place of what was written there.
    mutating func replace(at position: Int, with number: UInt32) {
        for place in 0..<4 { bytes[position + place] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(place))) }
    }
}
