internal import CZlib

/// Compresses data to gzip (RFC 1952) in pieces.
package struct Deflater: ~Copyable {
    /// The stream, on the heap because zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates a deflater; `nil` if there is no memory for zlib's window.
    package init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window, and 16 for gzip's header; 8 is zlib's default memory level.
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

    /// The output for some input; `nil` if zlib fails.
    package borrowing func deflate(_ input: ArraySlice<UInt8>, finishing: Bool) -> [UInt8]? {
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
