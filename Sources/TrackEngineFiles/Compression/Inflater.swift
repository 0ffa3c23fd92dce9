internal import CZlib

/// Decompresses gzip (RFC 1952) in pieces: any number of consecutive members, as written by `cat a.gz b.gz`, or the
/// bare deflate (RFC 1951) of a zip archive.
///
/// The output has pieces of the caller's size, so a small file that inflates to a huge one costs time but no memory.
package struct Inflater: ~Copyable {
    /// The result of a call.
    package enum Progress {
        /// The number of bytes of input that were consumed and of output that were written; with neither, more input
        /// is needed.
        case moved(taken: Int, made: Int)
        /// The input is damaged here; with a message of zlib or of this type.
        case damaged(String)
    }

    /// The next part of the file.
    private enum Phase {
        /// In a member.
        case member
        /// After a member: another one, or the zeros that fill a tape's block.
        case between
    }

    /// The stream, on the heap because zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var stage = Phase.member

    /// Creates an inflater; `nil` if there is no memory for zlib's window.
    ///
    /// - Parameter isBare: whether the data has neither a header nor a checksum.
    package init?(isBare: Bool = false) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window; adding 16 requires gzip's header and checks its sums, a negative number expects neither.
        let result = inflateInit2_(stream, isBare ? -15 : 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Whether the file may end here.
    package var isComplete: Bool {
        switch stage {
        case .member: false
        case .between: true
        }
    }

    /// Inflates some of the input into the output.
    package mutating func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Progress {
        if case .between = stage { return begin(input) }
        // zlib declares its input mutable but does not write to it.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(output.count)
        let result = CZlib.inflate(stream, Z_NO_FLUSH)
        let taken = input.count - Int(stream.pointee.avail_in)
        let made = output.count - Int(stream.pointee.avail_out)
        switch result {
        case Z_OK, Z_BUF_ERROR: return .moved(taken: taken, made: made)
        case Z_STREAM_END:
            stage = .between
            return .moved(taken: taken, made: made)
        default:
            return .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "error \(result) of zlib")
        }
    }

    /// Starts the next member, or skips zeros.
    private mutating func begin(_ input: UnsafeRawBufferPointer) -> Progress {
        guard let first = input.first else { return .moved(taken: 0, made: 0) }
        if first == 0 { return .moved(taken: input.prefix { $0 == 0 }.count, made: 0) }
        guard first == 0x1f, inflateReset(stream) == Z_OK else { return .damaged("expected another gzip member") }
        stage = .member
        return .moved(taken: 0, made: 0)
    }
}

extension Inflater {
    /// The decompressed contents of some bytes.
    ///
    /// - Parameters:
    ///   - input: the compressed bytes.
    ///   - most: the maximum number of bytes of output.
    ///   - admits: whether there is room for this many more bytes.
    /// - Throws: ``InflaterError``, before the output exceeds `most` bytes.
    package static func inflate(
        _ input: [UInt8], atMost most: Int, admits: (Int) -> Bool = { _ in true }
    ) throws(InflaterError) -> [UInt8] {
        guard var inflater = Inflater() else { throw .damaged("no memory for zlib") }
        var output: [UInt8] = []
        // The length in the last member: an array that grows by doubling would temporarily need its memory twice.
        output.reserveCapacity(input.suffix(4).reversed().reduce(0) { min($0 << 8 | Int($1), most) })
        var piece = [UInt8](repeating: 0, count: 65_536)
        var rest = input[...]
        while true {
            let progress = rest.withUnsafeBytes { from in
                piece.withUnsafeMutableBytes { inflater.inflate(from, into: $0) }
            }
            switch progress {
            case .damaged(let reason): throw .damaged(reason)
            case .moved(let taken, let made):
                guard output.count + made <= most else { throw .tooLong }
                guard admits(made) else { throw .noRoom }
                output += piece.prefix(made)
                rest = rest.dropFirst(taken)
                if rest.isEmpty, made < piece.count {
                    guard inflater.isComplete else { throw .damaged("the end is missing") }
                    return output
                }
            }
        }
    }
}

/// The reason why bytes cannot be decompressed.
package enum InflaterError: Error, Sendable, Hashable {
    /// The bytes are not gzip, or are truncated; with the reason.
    case damaged(String)
    /// Their contents are longer than allowed.
    case tooLong
    /// There is no room for their contents at present.
    case noRoom
}
