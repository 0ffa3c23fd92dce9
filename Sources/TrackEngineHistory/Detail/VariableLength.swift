/// Writes numbers in as few bytes as they need.
struct CompactWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func write(signed number: Int64) {
        write(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    /// Writes bytes unchanged.
    mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Removes all bytes and keeps the memory.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// The written bytes, to be changed in place.
    mutating func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeMutableBytes(body)
    }

    /// Writes an optional number; an absent one is 0.
    mutating func write(optional number: Int64?) {
        guard let number else { return write(0) }
        write(UInt64(bitPattern: number << 1 ^ number >> 63) &+ 1)
    }
}

/// Reads the format of ``CompactWriter``; any other bytes give `nil`, never a trap.
struct CompactReader {
    /// A number that may be absent, read from valid bytes.
    struct Optional {
        let value: Int64?
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }
    /// The number of unread bytes.
    var left: Int { bytes.count - position }

    mutating func read() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }

    /// Reads a number of bytes unchanged.
    mutating func read(count: UInt64) -> ArraySlice<UInt8>? {
        guard count <= UInt64(left) else { return nil }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }

    mutating func readSigned() -> Int64? { read().map(Self.unfold) }

    mutating func readOptional() -> Optional? {
        read().map { Optional(value: $0 == 0 ? nil : Self.unfold($0 - 1)) }
    }

    private static func unfold(_ number: UInt64) -> Int64 {
        Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}
