package import TrackEngine

/// Determines the finished files to remove: those that are too old, and the oldest while the total size is too
/// large.
///
/// The directory is listed in passes: one if few files must be removed, otherwise a few, regardless of the number of
/// files. A file that is too old is removed as soon as a pass finds it. Of the others a pass remembers the oldest.
/// If all of those must be removed and still more, the next pass sums up the bytes by ranges of age. Then the pass
/// after it can remove whole ranges as it finds them. The memory is the same for every directory.
///
/// A file that cannot be removed stays and counts, and the next one is removed instead. Files are tried from the
/// oldest on, so one position determines which were tried, and none is tried twice.
package struct RetentionPlan: Sendable {
    /// The reason for a removal, as the log shows it.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The file is older than the maximum age.
        case age = "older than keepDays"
        /// The total size is too large.
        case size = "more than maxBytes together"
    }

    /// The number of files, and of ranges of age, that are remembered.
    package static let memory = 256
    /// The most passes of a round. If every file can be removed, 14 are enough: ranks have 96 bits, and each pass
    /// except the first and the last determines 8 of them.
    package static let maximumPasses = 16

    private let newest: Timestamp
    private let maximumAge: Duration?
    private let maximumBytes: Int64?
    /// The size of the current file in bytes; it counts and stays.
    package var partSize: Int64

    /// The number of remaining files, as far as the current or the last pass has found them.
    package private(set) var count = 0
    /// The total size of the remaining files, in bytes.
    package private(set) var bytes: Int64 = 0
    /// The number of remaining files that no removal was tried for.
    private var candidates = 0
    /// The oldest of those files, oldest first.
    private var oldest: [File] = []
    /// The rank of the newest of those files.
    private var newestRank: UInt128 = 0
    /// Files below this rank are removed as soon as they are found.
    private var lowestRank: UInt128 = 0
    private var histogram: AgeHistogram?
    /// The newest file that was tried to be removed because of the total size.
    private var tried: File?
    /// The number of finished passes.
    package private(set) var passes = 0

    /// A plan before its first pass.
    ///
    /// - Parameters:
    ///   - newest: the time relative to which ages count.
    ///   - maximumAge: the maximum age of a file; `nil` for any age.
    ///   - maximumBytes: the maximum total size in bytes; `nil` for any size.
    ///   - partSize: the size of the current file in bytes; it counts and stays.
    package init(newest: Timestamp, maximumAge: Duration?, maximumBytes: Int64?, partSize: Int64) {
        self.newest = newest
        self.maximumAge = maximumAge
        self.maximumBytes = maximumBytes
        self.partSize = partSize
    }

    /// The bytes above the maximum total size, including the current file; 0 or less if there are none.
    package var excess: Int64 { maximumBytes.map { bytes &+ partSize &- $0 } ?? 0 }

    /// Adds a file that a pass has found.
    ///
    /// - Returns: the reason to remove it now; `nil` if it stays for the time being.
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

    /// Counts a file that should be removed and could not be.
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

    /// The next file to remove after a pass, oldest first; `nil` if there is none. It may be called again when the
    /// current file has grown, until no file is remembered.
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

    /// Ends a pass, after the last ``nextRemoval()``.
    ///
    /// - Returns: whether another pass follows; then ``count`` and ``bytes`` are those of the new pass.
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

/// The total size of files by ranges of their ranks.
private struct AgeHistogram: Sendable {
    /// The number of ranges.
    private static let count = 256

    private let start: UInt128
    /// The number of ranks in each range.
    private let width: UInt128
    private var bytes = [Int64](repeating: 0, count: Self.count)

    /// An empty histogram for a range of ranks.
    init(_ ranks: ClosedRange<UInt128>) {
        start = ranks.lowerBound
        width = (ranks.upperBound - ranks.lowerBound) / UInt128(Self.count) + 1
    }

    /// Adds the bytes of a file; a negative size subtracts them. A file outside of all ranges is ignored.
    mutating func add(_ size: Int64, at rank: UInt128) {
        guard rank >= start else { return }
        let index = (rank - start) / width
        if index < bytes.count { bytes[Int(index)] &+= size }
    }

    /// The range in which the sum of the bytes, from the lowest rank on, reaches a value; `nil` if there is none.
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
