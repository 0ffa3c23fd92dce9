import Foundation

/// One call that the shim has recorded.
package struct RecordedCall: Sendable {
    package enum Kind: UInt32, Sendable {
        case attach = 1
        case create, write, truncate, sync, rename, unlink, syncDirectory, line
    }

    package let kind: Kind
    /// The file's path and, for a renaming, its new one.
    package let path: String
    package let other: String
    /// Which file: files keep their id when they are renamed.
    package let file: UInt64
    /// Where a write begins, or the length after a truncation.
    package let offset: Int
    package let bytes: [UInt8]

    package init(kind: Kind, path: String, other: String, file: UInt64, offset: Int, bytes: [UInt8]) {
        (self.kind, self.path, self.other) = (kind, path, other)
        (self.file, self.offset, self.bytes) = (file, offset, bytes)
    }
}

extension RecordedCall {
    /// Reads what record.c has written.
    ///
    /// The head: kind, the lengths of path, other path and bytes (4 bytes each, little-endian), file, offset (8 each).
    package static func calls(of data: Data) throws -> [RecordedCall] {
        let bytes = [UInt8](data)
        var calls: [RecordedCall] = []
        var position = 0
        func number(_ offset: Int, _ size: Int) -> UInt64 {
            (0..<size).reduce(0) { $0 | UInt64(bytes[position + offset + $1]) << UInt64(8 * $1) }
        }
        while position < bytes.count {
            guard position + 32 <= bytes.count, let kind = Kind(rawValue: UInt32(number(0, 4))) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            let lengths = [4, 8, 12].map { Int(number($0, 4)) }
            let (file, offset) = (number(16, 8), Int(number(24, 8)))
            position += 32
            guard position + lengths.reduce(0, +) <= bytes.count else { throw CocoaError(.fileReadCorruptFile) }
            let parts = lengths.map { length in
                defer { position += length }
                return bytes[position..<position + length]
            }
            calls.append(
                RecordedCall(
                    kind: kind, path: String(decoding: parts[0], as: UTF8.self),
                    other: String(decoding: parts[1], as: UTF8.self), file: file, offset: offset,
                    bytes: Array(parts[2])))
        }
        return calls
    }
}
