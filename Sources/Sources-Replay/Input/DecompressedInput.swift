import Gzip

/// The bytes of a file, decompressed where it is gzip by its first two bytes, whatever its name.
struct DecompressedInput: ~Copyable {
    /// How much is read at once.
    static let pieceLength = 65_536

    private var file: FileInput
    private var inflater: Inflater?
    /// What has been read and not yet handed out or inflated.
    private var raw: [UInt8]
    private var rawRange = 0..<0
    private var hasBegun = false
    private var isAtEnd = false
    /// How many bytes of the file itself have been read.
    private(set) var bytesRead: Int64 = 0
    /// What is wrong with the compressed file; reading then ends early.
    private(set) var damage: String?

    init(path: String, interruption: Interruption) throws(ReplayError) {
        file = try FileInput(path: path, interruption: interruption)
        raw = Array(repeating: 0, count: Self.pieceLength)
    }

    /// The size of the file itself; `nil` for a pipe.
    var size: Int64? { file.size }

    /// Reads at least a byte into the buffer from `start` on, where it must have room; 0 at the end.
    mutating func read(into buffer: inout [UInt8], at start: Int) throws(ReplayError) -> Int {
        if !hasBegun { try begin() }
        if inflater != nil { return try readInflated(into: &buffer, at: start) }
        guard rawRange.isEmpty else { return handOut(into: &buffer, at: start) }
        let count = try file.read(into: &buffer, at: start)
        bytesRead += Int64(count)
        return count
    }

    /// Reads until the first two bytes tell whether this is gzip.
    private mutating func begin() throws(ReplayError) {
        hasBegun = true
        while rawRange.count < 2, !isAtEnd { try fill() }
        if rawRange.count >= 2, raw[0] == 0x1f, raw[1] == 0x8b {
            inflater = Inflater()
            if inflater == nil { damage = "expected memory for zlib" }
        }
    }

    private mutating func fill() throws(ReplayError) {
        let count = try file.read(into: &raw, at: rawRange.upperBound)
        bytesRead += Int64(count)
        rawRange = rawRange.lowerBound..<(rawRange.upperBound + count)
        if count == 0 { isAtEnd = true }
    }

    /// Hands out what was read to recognise gzip, where it is none.
    private mutating func handOut(into buffer: inout [UInt8], at start: Int) -> Int {
        let count = min(rawRange.count, buffer.count - start)
        buffer.replaceSubrange(start..<(start + count), with: raw[rawRange.prefix(count)])
        rawRange = rawRange.dropFirst(count)
        return count
    }

    private mutating func readInflated(into buffer: inout [UInt8], at start: Int) throws(ReplayError) -> Int {
        while damage == nil {
            if rawRange.isEmpty, !isAtEnd {
                rawRange = 0..<0
                try fill()
            }
            switch inflate(into: &buffer, at: start) {
            case .damaged(let reason): damage = "gzip: \(reason)"
            case .moved(let taken, let made):
                rawRange = rawRange.dropFirst(taken)
                if made > 0 { return made }
                if taken == 0, rawRange.isEmpty, isAtEnd { return endOfInflated() }
            }
        }
        return 0
    }

    private mutating func inflate(into buffer: inout [UInt8], at start: Int) -> Inflater.Progress {
        raw.withUnsafeBytes { bytes in
            buffer.withUnsafeMutableBytes { output in
                inflater?.inflate(
                    UnsafeRawBufferPointer(rebasing: bytes[rawRange]),
                    into: UnsafeMutableRawBufferPointer(rebasing: output[start...]))
                    ?? .damaged("expected memory for zlib")
            }
        }
    }

    private mutating func endOfInflated() -> Int {
        if inflater?.isComplete != true { damage = "gzip: expected the end of the data: the file is cut" }
        return 0
    }
}
