internal import CZlib

/// Compresses files into gzip (RFC 1952), in constant memory.
enum GzipFile {
    private static let pieceLength = 65_536

    /// Writes a compressed copy; the same input always gives the same bytes.
    ///
    /// - Throws: what reading and writing throw; any part of `output` may have been written then.
    static func compress(_ input: OpenFile, to output: OpenFile, probe: FileProbe) throws(FileFailure) {
        try probe(.compress)
        guard let deflater = Deflater() else { throw FileFailure("cannot compress \(input.name): no memory for zlib") }
        var (read, written): (Int64, Int64) = (0, 0)
        var piece = [UInt8](repeating: 0, count: pieceLength)
        var isAtEnd = false
        while !isAtEnd {
            var failure: FileFailure?
            let count = piece.withUnsafeMutableBytes { buffer -> Int in
                do throws(FileFailure) { return try input.read(buffer, at: read) } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            read += Int64(count)
            isAtEnd = count == 0
            let compressed = deflater.deflate(piece.prefix(count), finishing: isAtEnd)
            guard let compressed else { throw FileFailure("cannot compress \(input.name): zlib failed") }
            if !compressed.isEmpty { try output.write(compressed, at: written) }
            written += Int64(compressed.count)
        }
    }
}

/// zlib's compressor with gzip's header and trailer.
private struct Deflater: ~Copyable {
    /// On the heap, because zlib keeps the address of it.
    private let stream: UnsafeMutablePointer<z_stream>

    /// `nil` where there is no memory for zlib's window.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window, and 16 for gzip's header; 8 is zlib's usual use of memory.
        let result = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// What comes out for some input; `nil` when zlib fails.
    borrowing func deflate(_ input: ArraySlice<UInt8>, finishing: Bool) -> [UInt8]? {
        var input = Array(input)
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        let succeeded = input.withUnsafeMutableBufferPointer { input -> Bool in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            while true {
                let (result, made) = piece.withUnsafeMutableBufferPointer { piece in
                    stream.pointee.next_out = piece.baseAddress
                    stream.pointee.avail_out = UInt32(piece.count)
                    let result = CZlib.deflate(stream, finishing ? Z_FINISH : Z_NO_FLUSH)
                    return (result, piece.count - Int(stream.pointee.avail_out))
                }
                output += piece.prefix(made)
                switch result {
                case Z_STREAM_END: return true
                case Z_OK, Z_BUF_ERROR: if made < piece.count { return !finishing }
                default: return false
                }
            }
        }
        return succeeded ? output : nil
    }
}
