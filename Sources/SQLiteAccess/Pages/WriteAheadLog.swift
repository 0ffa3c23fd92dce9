package import TrackEngine

/// The pages in a write-ahead log (SQLite file format, section 4), and their offsets.
package struct WriteAheadLog {
    private static let headLength: Int64 = 32
    private static let frameHeadLength = 24
    /// A log normally has a megabyte. Frames beyond this number are ignored, which bounds the memory.
    private static let mostFrames = 1 << 17

    package let file: ReadOnlyFile
    package let pageSize: Int
    /// The offset in the file of the newest committed version of each page.
    package private(set) var committed: [UInt32: Int64] = [:]
    /// The offsets of pages after a damaged frame, from commits that are complete by themselves. SQLite silently
    /// ignores them; the rows in them have checks of their own.
    package private(set) var stranded: [Int64] = []
    /// Whether there are commits after a damaged frame. The frames of a commit that a power cut interrupted are no
    /// damage: it was never answered.
    package private(set) var isDamaged = false

    /// Reads the log's frames; `nil` when there is no log.
    package init?(
        path: String, willRead: @escaping @Sendable (String) throws(StoreError) -> Void = { _ throws(StoreError) in }
    ) throws(StoreError) {
        guard let file = try ReadOnlyFile(path, willRead: willRead), file.size > 0 else { return nil }
        self.file = file
        let head = try file.bytes(at: 0, count: Int(Self.headLength) + Self.frameHeadLength)
        guard let scan = head.withUnsafeBytes({ Scan(head: $0) }) else { return nil }
        pageSize = scan.pageSize
        try read(scan)
    }

    private mutating func read(_ scan: Scan) throws(StoreError) {
        var scan = scan
        let length = Self.frameHeadLength + pageSize
        var offset = Self.headLength
        for _ in 0..<Self.mostFrames {
            let frame = try file.bytes(at: offset, count: length)
            guard frame.count == length else { break }
            frame.withUnsafeBytes { scan.add($0, at: offset + Int64(Self.frameHeadLength)) }
            offset += Int64(length)
        }
        (committed, stranded, isDamaged) = (scan.committed, scan.strandedCommitted, scan.isDamaged)
    }

    /// Reads frames in order.
    private struct Scan {
        /// The state of the chain of checks, each of which covers all frames before.
        private enum State {
            /// All frames so far are undamaged. The first damaged one leads to `broken`.
            case whole(Checksum)
            /// A frame was damaged, or left over from before. The frames after it are undamaged by themselves if their
            /// check continues from the one in the frame before them.
            case broken(named: Checksum)
        }

        let pageSize: Int
        private let isBigEndian: Bool
        private let salt: UInt64
        private var chain: State
        private var pending: [UInt32: Int64] = [:]
        private var pendingStranded: [Int64] = []
        private(set) var committed: [UInt32: Int64] = [:]
        private(set) var strandedCommitted: [Int64] = []
        private var strandedCommits = 0
        /// The number of ends of commits after the first damaged frame that may be the end of its own commit.
        private var ownEnds = 1

        /// Whether frames that were synchronised are damaged. The frames of an interrupted commit may have reached the
        /// disk in any order, and in part, but those of a commit after it have not.
        var isDamaged: Bool { strandedCommits > ownEnds }

        /// - Parameter head: the log's header and the header of its first frame.
        init?(head: UnsafeRawBufferPointer) {
            guard head.count == 56 else { return nil }
            let header = UnsafeRawBufferPointer(rebasing: head[..<32])
            let magic = FileFormat.word(header, at: 0)
            let size = Int(FileFormat.word(header, at: 8) ?? 0)
            let isBigEndian = magic == 0x377f_0683
            let check = Checksum().adding(UnsafeRawBufferPointer(rebasing: header[..<24]), isBigEndian: isBigEndian)
            let isSound =
                (isBigEndian || magic == 0x377f_0682) && check == Checksum(header, at: 24)
                && PageSize.isPossible(size)
            // Without a sound header, the values that all frames share come from the first frame, and the page size is
            // the store's.
            pageSize = isSound ? size : PageSize.own
            self.isBigEndian = isSound ? isBigEndian : false
            salt = isSound ? Self.salt(header, at: 16) : Self.salt(head, at: 32 + 8)
            chain = isSound ? .whole(check) : .broken(named: Checksum(head, at: 32 + 16))
            if !isSound { ownEnds = 0 }
        }

        private static func salt(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
            UInt64(FileFormat.word(bytes, at: offset) ?? 0) << 32 | UInt64(FileFormat.word(bytes, at: offset + 4) ?? 0)
        }

        mutating func add(_ frame: UnsafeRawBufferPointer, at offset: Int64) {
            let named = Checksum(frame, at: 16)
            let isOfThisLog = Self.salt(frame, at: 8) == salt
            let number = FileFormat.word(frame, at: 0) ?? 0
            let isCommit = FileFormat.word(frame, at: 4) ?? 0 != 0
            switch chain {
            case .whole(let check):
                guard isOfThisLog, number > 0, sum(frame, after: check) == named else {
                    if isOfThisLog { pendingStranded.append(offset) }
                    if isOfThisLog, isCommit { ownEnds = 0 }
                    chain = .broken(named: named)
                    return
                }
                chain = .whole(named)
                pending[number] = offset
                if isCommit {
                    committed.merge(pending) { $1 }
                    pending = [:]
                }
            case .broken(let before):
                guard isOfThisLog else { return }
                pendingStranded.append(offset)
                if isCommit && sum(frame, after: before) == named {
                    strandedCommitted += pendingStranded
                    pendingStranded = []
                    strandedCommits += 1
                }
                chain = .broken(named: named)
            }
        }

        private func sum(_ frame: UnsafeRawBufferPointer, after check: Checksum) -> Checksum {
            check.adding(UnsafeRawBufferPointer(rebasing: frame[..<8]), isBigEndian: isBigEndian)
                .adding(UnsafeRawBufferPointer(rebasing: frame[24...]), isBigEndian: isBigEndian)
        }
    }

    /// The check of section 4.2: two sums over pairs of words.
    private struct Checksum: Equatable {
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        init() {}

        init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
            first = FileFormat.word(bytes, at: offset) ?? 0
            second = FileFormat.word(bytes, at: offset + 4) ?? 0
        }

        func adding(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> Checksum {
            var sum = self
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                let pair = (
                    bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
                    bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                )
                sum.first &+= (isBigEndian ? pair.0.bigEndian : pair.0.littleEndian) &+ sum.second
                sum.second &+= (isBigEndian ? pair.1.bigEndian : pair.1.littleEndian) &+ sum.first
            }
            return sum
        }
    }
}
