internal import CZlib

/// Compresses files into gzip (RFC 1952), in constant memory.
enum FileCompression {
    private static let pieceLength = 65_536

    /// Writes a compressed copy; the same input always gives the same bytes.
    ///
    /// - Throws: errors of reading and writing; any part of `output` may have been written then.
    static func compress(_ input: OpenFile, to output: OpenFile, probe: FileProbe) throws(FileFailure) {
        try probe(.compress)
        guard let deflater = Deflater() else { throw FileFailure("cannot compress \(input.name): no memory for zlib") }
        var written: Int64 = 0
        try forEachPiece(of: input) { piece throws(FileFailure) in
            guard let compressed = deflater.deflate(piece, finishing: piece.isEmpty) else {
                throw FileFailure("cannot compress \(input.name): zlib failed")
            }
            if !compressed.isEmpty { try output.write(compressed, at: written) }
            written += Int64(compressed.count)
        }
    }

    /// Whether a compressed file has these contents: its trailer has their checksum and their length.
    static func holds(_ contents: OpenFile, _ compressed: OpenFile) throws(FileFailure) -> Bool {
        var (sum, length) = (UInt(0), UInt32(0))
        try forEachPiece(of: contents) { piece throws(FileFailure) in
            sum = Array(piece).withUnsafeBufferPointer { crc32(sum, $0.baseAddress, UInt32($0.count)) }
            length &+= UInt32(piece.count)
        }
        let trailer = [UInt32(truncatingIfNeeded: sum), length].flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        guard let size = compressed.size, size >= 18 else { return false }  // a header and a trailer at least
        return try compressed.bytes(count: 8, at: size - 8) == trailer
    }

    /// Calls `body` with the contents in pieces, and with an empty piece at the end.
    private static func forEachPiece(
        of file: OpenFile, _ body: (ArraySlice<UInt8>) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        var offset: Int64 = 0
        var isAtEnd = false
        while !isAtEnd {
            let piece = try file.bytes(count: pieceLength, at: offset)
            offset += Int64(piece.count)
            isAtEnd = piece.isEmpty
            try body(piece[...])
        }
    }
}
