package import TrackEngine

/// Which finished files go: those that are too old, and the oldest while all of them together are too large.
///
/// The directory is gone through in passes: one where few files go, and otherwise a few, however many files there are. A
/// file that is too old goes at sight. Of the others a pass remembers the oldest. Where all of those have to go and more
/// besides, the next pass adds up the bytes of ranges of age, so that the one behind it can remove whole ranges at sight.
/// The memory is the same for every directory.
///
/// A file that cannot be removed stays and counts, and the next one goes in its place. Files are tried from the oldest on,
/// so that one position says which have been tried, and none is tried twice.
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
    /// How many passes a round has at most. Where every file can be removed, 14 are enough: ranks have 96 bits, of which
    /// each pass but the first and the last settles 8.
    package static let maximumPasses = 16

    private let newest: Timestamp
    private let maximumAge: Duration?
    private let maximumBytes: Int64?
    /// The bytes of the file under way, which count and stay.
    package var partSize: Int64

    /// How many files stay, as far as the pass under way or the last one has seen.
    package private(set) var count = 0
    /// The bytes of all of them.
    package private(set) var bytes: Int64 = 0
    /// How many of them nobody has tried to remove.
    private var candidates = 0
    /// The oldest of those, oldest first.
    private var oldest: [File] = []
    /// The rank of the newest of them.
    private var newestRank: UInt128 = 0
    /// Files below this rank go at sight.
    private var lowestRank: UInt128 = 0
    private var histogram: AgeHistogram?
    /// The newest file that was removed, or could not be, because all together are too large.
    private var tried: File?
    /// How many passes have ended.
    package private(set) var passes = 0

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

    /// By how many bytes the files that stay and the file under way are too large; 0 or less if they are not.
    package var excess: Int64 { maximumBytes.map { bytes &+ partSize &- $0 } ?? 0 }

    /// Takes a file into account that a pass has come to.
    ///
    /// - Returns: why it goes now; `nil` if it stays for the time being.
    package mutating func examine(_ file: File) -> Reason? {
        let isTooOld = isTooOld(file)
        if isTooOld, passes == 0 { return .age }
        let wasTried = isTooOld || tried.map { !$0.isOlder(than: file) } ?? false
        if !wasTried, file.rank < lowestRank { return .size }
        keep(file)
        guard !wasTried, maximumBytes != nil else { return nil }
        candidates += 1
        newestRank = max(newestRank, file.rank)
        histogram?.add(file.size, at: file.rank)
        remember(file)
        return nil
    }

    /// Counts a file that should go and could not be removed.
    package mutating func keep(_ file: File) {
        count += 1
        bytes &+= file.size
    }

    private func isTooOld(_ file: File) -> Bool {
        guard let maximumAge, file.hasKnownAge else { return false }
        return newest.duration(since: file.end) > maximumAge
    }

    private mutating func remember(_ file: File) {
        if oldest.count == Self.memory {
            guard let last = oldest.last, file.isOlder(than: last) else { return }
            oldest.removeLast()
        }
        oldest.insert(file, at: oldest.firstIndex(where: file.isOlder) ?? oldest.count)
    }

    /// After a pass, the oldest file that goes and has not been named; `nil` if none does. It can be asked again when the
    /// file under way has grown, until none is remembered.
    package mutating func nextRemoval() -> File? {
        guard excess > 0, let file = oldest.first else { return nil }
        oldest.removeFirst()
        histogram?.add(-file.size, at: file.rank)
        tried = file
        candidates -= 1
        count -= 1
        bytes &-= file.size
        return file
    }

    /// Ends a pass, once ``nextRemoval()`` has named everything.
    ///
    /// - Returns: whether another one follows; ``count`` and ``bytes`` are then those of a new pass.
    package mutating func beginsAnotherPass() -> Bool {
        passes += 1
        guard excess > 0, candidates > 0, let tried, passes < Self.maximumPasses else { return false }
        let range = histogram?.range(reaching: excess) ?? tried.rank...max(tried.rank, newestRank)
        lowestRank = range.lowerBound
        histogram = AgeHistogram(range)
        (count, bytes, candidates, oldest, newestRank) = (0, 0, 0, [], 0)
        return true
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

    /// Counts the bytes of a file, or with a negative size no more; one outside of all ranges is passed over.
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
