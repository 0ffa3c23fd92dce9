/// The bytes of a file. A gzip file or zip archive is recognised by its first bytes, regardless of its name, and
/// decompressed.
///
/// From an archive one recorded track is read (``ZipEntryChoice``); from an archive that comes through a pipe, the
/// first file with the name of a track.
struct ReplayInput: ~Copyable {
    /// How much is read at once.
    static let pieceLength = 65_536

    private let path: String
    private let interruption: Interruption
    private var file: FileInput
    /// Selects a file of an archive; `nil` for an automatic choice.
    private let isWanted: (@Sendable (ZipReader.Member) -> Bool)?
    private var inflater: Inflater?
    private var archive: ZipReader?
    /// Bytes that were read and not yet handed out or inflated.
    private var raw: [UInt8]
    private var rawRange = 0..<0
    private var hasBegun = false
    private var isAtEnd = false
    /// How many bytes of the file itself have been read.
    private(set) var bytesRead: Int64 = 0
    /// The damage of the compressed file, which ends reading early.
    private(set) var damage: String?
    /// The name of the file that is read from an archive; `nil` for any other file.
    private(set) var nameInArchive: String?
    /// The recorded tracks found in the archive so far; without a choice, the first of them is read.
    private(set) var found: [ZipReader.Member] = []
    /// The names of other recorded tracks in the archive.
    private(set) var passedOver: [String] = []
    /// The recorded tracks in the archive that cannot be read, and what would be expected of them.
    private(set) var unreadable: [(name: String, expectation: String)] = []
    /// Whether an earlier pass over the archive has made these lists.
    private var hasLists = false

    init(
        path: String, interruption: Interruption, isWanted: (@Sendable (ZipReader.Member) -> Bool)? = nil
    ) throws(ReplayError) {
        self.path = path
        self.interruption = interruption
        self.isWanted = isWanted
        file = try FileInput(path: path, interruption: interruption)
        raw = Array(repeating: 0, count: Self.pieceLength)
    }

    /// The size of the file itself; `nil` for a pipe.
    var size: Int64? { file.size }

    /// Reads at least a byte into the buffer from `start` on, where it must have room; 0 at the end.
    mutating func read(into buffer: inout [UInt8], at start: Int) throws(ReplayError) -> Int {
        if !hasBegun { try begin() }
        if inflater != nil || archive != nil { return try readInflated(into: &buffer, at: start) }
        guard rawRange.isEmpty else { return handOut(into: &buffer, at: start) }
        let count = try file.read(into: &buffer, at: start)
        bytesRead += Int64(count)
        return count
    }

    /// Reads the first bytes, which identify gzip and zip.
    private mutating func begin() throws(ReplayError) {
        hasBegun = true
        while rawRange.count < 2, !isAtEnd { try fill() }
        if rawRange.count >= 2, raw[0] == UInt8(ascii: "P"), raw[1] == UInt8(ascii: "K") {
            while rawRange.count < 4, !isAtEnd { try fill() }
            let isZip = raw.starts(with: [0x50, 0x4b, 3, 4]) || raw.starts(with: [0x50, 0x4b, 5, 6])
            if rawRange.count >= 4, isZip { try beginArchive() }
        }
        if rawRange.count >= 2, raw[0] == 0x1f, raw[1] == 0x8b {
            inflater = Inflater()
            if inflater == nil { damage = "expected memory for zlib" }
        }
    }

    private mutating func beginArchive() throws(ReplayError) {
        if let isWanted {
            archive = ZipReader(isWanted: isWanted)
        } else if file.size != nil, let choice = try ZipEntryChoice(path: path, interruption: interruption) {
            archive = ZipReader { $0.index == choice.member.index }
            (passedOver, unreadable, hasLists) = (choice.others, choice.unreadable, true)
        } else {
            archive = ZipReader { ReplayFormat.isTrackName($0.name) }
        }
    }

    private mutating func fill() throws(ReplayError) {
        let count = try file.read(into: &raw, at: rawRange.upperBound)
        bytesRead += Int64(count)
        rawRange = rawRange.lowerBound..<(rawRange.upperBound + count)
        if count == 0 { isAtEnd = true }
    }

    /// Hands out the bytes that were read to recognise gzip, where the file is not compressed.
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
            case .damaged(let reason): damage = "\(kind): \(reason)"
            case .moved(let taken, let made):
                rawRange = rawRange.dropFirst(taken)
                noteMembers()
                if made > 0 { return made }
                if taken == 0, rawRange.isEmpty, isAtEnd { return endOfInflated() }
            }
        }
        return 0
    }

    private mutating func noteMembers() {
        nameInArchive = archive?.name
        guard !hasLists, let found = archive?.found, let unreadable = archive?.unreadable else { return }
        if found.count > self.found.count {
            self.found = found
            passedOver = found.dropFirst().map(\.name)
        }
        self.unreadable = unreadable
    }

    private mutating func inflate(into buffer: inout [UInt8], at start: Int) -> Inflater.Progress {
        raw.withUnsafeBytes { bytes in
            buffer.withUnsafeMutableBytes { output in
                let input = UnsafeRawBufferPointer(rebasing: bytes[rawRange])
                let output = UnsafeMutableRawBufferPointer(rebasing: output[start...])
                return inflater?.inflate(input, into: output) ?? archive?.read(input, into: output)
                    ?? .damaged("expected memory for zlib")
            }
        }
    }

    private var kind: String { archive == nil ? "gzip" : "zip" }

    private mutating func endOfInflated() -> Int {
        let isComplete = inflater?.isComplete ?? archive?.isComplete ?? false
        if !isComplete { damage = "\(kind): expected the end of the data: the file is cut" }
        return 0
    }
}
