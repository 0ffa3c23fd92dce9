internal import CZlib

/// Undoes gzip (RFC 1952) piece by piece: any number of members one after the other, as `cat a.gz b.gz` makes them; or the
/// bare deflate (RFC 1951) that is in a zip archive.
///
/// Output comes in pieces of the caller's size, so a small file that inflates to a huge one costs time, not memory.
package struct Inflater: ~Copyable {
    /// What a call did.
    package enum Progress {
        /// So many bytes of input were taken and of output made; with neither, more input is needed.
        case moved(taken: Int, made: Int)
        /// The input is damaged here; zlib's words, or ours.
        case damaged(String)
    }

    /// Which part of the file comes next.
    private enum Stage {
        /// In a member.
        case member
        /// Behind a member: another one, or zeros that fill a tape's block.
        case between
    }

    /// On the heap, because zlib keeps the address of it.
    private let stream: UnsafeMutablePointer<z_stream>
    private var stage = Stage.member

    /// `nil` where there is no memory for zlib's window.
    ///
    /// - Parameter isBare: whether there is neither a header nor a checksum.
    package init?(isBare: Bool = false) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window; 16 more demand gzip's header and check its sums, a minus expects neither.
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
        // zlib declares its input mutable and does not write to it.
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

    /// Begins the next member, or passes over one zero.
    private mutating func begin(_ input: UnsafeRawBufferPointer) -> Progress {
        guard let first = input.first else { return .moved(taken: 0, made: 0) }
        if first == 0 { return .moved(taken: input.prefix { $0 == 0 }.count, made: 0) }
        guard first == 0x1f, inflateReset(stream) == Z_OK else { return .damaged("expected another gzip member") }
        stage = .member
        return .moved(taken: 0, made: 0)
    }
}

extension Inflater {
    /// All that some compressed bytes hold.
    ///
    /// - Parameters:
    ///   - input: the compressed bytes.
    ///   - most: how many bytes may come out.
    ///   - admits: whether there is room for so many bytes more.
    /// - Throws: ``InflationError``, before more than `most` bytes are made.
    package static func inflate(
        _ input: [UInt8], atMost most: Int, admits: (Int) -> Bool = { _ in true }
    ) throws(InflationError) -> [UInt8] {
        guard var inflater = Inflater() else { throw .damaged("no memory for zlib") }
        var output: [UInt8] = []
        // The length that the last member tells: what grows by doubling would be there twice for a moment.
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

/// Why compressed bytes cannot be had.
package enum InflationError: Error, Sendable, Hashable {
    /// They are no gzip, or cut; with the reason.
    case damaged(String)
    /// They hold more than is allowed.
    case tooLong
    /// There is no room for what they hold just now.
    case noRoom
}
