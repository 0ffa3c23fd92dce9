package import TrackEngine

/// Which finished files go: those that are too old, and the oldest while all of them together are too large.
///
/// The directory is gone through in passes: one where few files go, and otherwise a few, however many files there are. A
/// file that is too old goes at sight. Of the others a pass remembers the oldest. Where all of those have to go and more
/// besides, the next pass adds up the bytes of ranges of age, so that the one behind it can remove whole ranges at sight.
/// The memory is the same for every directory.
package struct RetentionPlan: Sendable {
    /// Why a file goes, in the words of the log.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// It is older than the greatest age.
        case age = "older than keepDays"
        /// All files together are too large.
        case size = "more than maxBytes together"
    }

    /// How many files, and how many ranges of age, are remembered.
    package static let memory = 256

    private let newest: Timestamp
    private let maximumAge: Duration?
    private let maximumBytes: Int64?
    private let partSize: Int64

    /// How many files stay, as far as the pass under way or the last one has seen.
    package private(set) var count = 0
    /// The bytes of all of them.
    package private(set) var bytes: Int64 = 0
    /// The oldest of them, oldest first.
    private var oldest: [File] = []
    /// The rank of the newest of them.
    private var newestRank: UInt128 = 0
    /// Files below this rank go at sight.
    private var lowestRank: UInt128 = 0
    private var histogram: AgeHistogram?

    /// A plan before its first pass.
    ///
    /// - Parameters:
    ///   - newest: the time that age counts to.
    ///   - maximumAge: how old a file may be; `nil` for any age.
    ///   - maximumBytes: how many bytes all files together may have; `nil` for any number.
    ///   - partSize: the bytes of the file under way, which count and stay.
    package init(newest: Timestamp, maximumAge: Duration?, maximumBytes: Int64?, partSize: Int64) {
        self.newest = newest
        self.maximumAge = maximumAge
        self.maximumBytes = maximumBytes
        self.partSize = partSize
    }

    /// Takes a file into account that a pass has come to.
    ///
    /// - Returns: why it goes now; `nil` if it stays for the time being.
    package mutating func examine(_ file: File) -> Reason? {
        if let maximumAge, file.hasKnownAge, newest.duration(since: file.time) > maximumAge { return .age }
        let rank = file.rank
        if rank < lowestRank { return .size }
        count += 1
        bytes &+= file.size
        newestRank = max(newestRank, rank)
        histogram?.add(file.size, at: rank)
        if maximumBytes != nil { remember(file) }
        return nil
    }

    private mutating func remember(_ file: File) {
        if oldest.count == Self.memory {
            guard let last = oldest.last, file.isOlder(than: last) else { return }
            oldest.removeLast()
        }
        oldest.insert(file, at: oldest.firstIndex(where: file.isOlder) ?? oldest.count)
    }

    /// What follows at the end of a pass.
    package enum PassEnd: Sendable, Hashable {
        /// These go, oldest first, and nothing besides.
        case done([File])
        /// These go, oldest first, and another pass follows.
        case again([File])

        /// The files that go.
        package var removals: [File] {
            switch self {
            case .done(let files), .again(let files): files
            }
        }
    }

    /// Ends a pass. Afterwards ``count`` and ``bytes`` are without the files that go, or those of a new pass.
    package mutating func endPass() -> PassEnd {
        let excess = maximumBytes.map { bytes &+ partSize &- $0 } ?? 0
        var removals: [File] = []
        var freed: Int64 = 0
        for file in oldest where freed < excess {
            removals.append(file)
            freed &+= file.size
        }
        count -= removals.count
        bytes &-= freed
        guard freed < excess, count > 0 else { return .done(removals) }
        let range = histogram?.range(reaching: excess) ?? (oldest.first?.rank ?? 0)...newestRank
        lowestRank = range.lowerBound
        histogram = AgeHistogram(range)
        (count, bytes, oldest, newestRank) = (0, 0, [], 0)
        return .again(removals)
    }
}

/// How many bytes files have, by ranges of their ranks.
private struct AgeHistogram: Sendable {
    /// How many ranges there are.
    private static let count = 256

    private let start: UInt128
    /// How many ranks each range has.
    private let width: UInt128
    private var bytes = [Int64](repeating: 0, count: Self.count)

    /// Nothing yet, over all of these ranks.
    init(_ ranks: ClosedRange<UInt128>) {
        start = ranks.lowerBound
        width = (ranks.upperBound - ranks.lowerBound) / UInt128(Self.count) + 1
    }

    /// Counts a file; one outside of all ranges is passed over.
    mutating func add(_ size: Int64, at rank: UInt128) {
        guard rank >= start else { return }
        let index = (rank - start) / width
        if index < bytes.count { bytes[Int(index)] &+= size }
    }

    /// The range in which the bytes of all files up to there come to a sum; `nil` if there is none.
    func range(reaching sum: Int64) -> ClosedRange<UInt128>? {
        var rest = sum
        for (index, bytes) in bytes.enumerated() {
            rest &-= bytes
            if rest <= 0 {
                let lowest = start + UInt128(index) * width
                return lowest...lowest + (width - 1)
            }
        }
        return nil
    }
}
