import SQLiteAccess
import TrackEngine

/// The disk space that a history takes in addition to the database, and the limit of a single change.
///
/// The reserve lets a full disk be pruned: the log of a removal needs room before the removal frees any.
final class HistorySpace {
    /// The most points of one transaction: some ten milliseconds of work.
    private static let largestStep = 5_000
    /// The fewest points of one transaction: their log fits into the smallest reserve.
    private static let smallestStep = 1

    /// The free space in bytes, beyond that at a refused addition, that makes another attempt worthwhile.
    private static let leastSurplus: Int64 = 64 << 10

    private let directory: String
    private var reserve: ReserveFile
    /// The number of points that one transaction removes.
    private(set) var step = HistorySpace.largestStep
    /// The bytes of cached data that were added since the cache was last limited.
    var cacheGrowth: Int64 = 0

    /// Releases the reserve when the disk is so full that no database could be opened.
    init(path: String, in directory: String) throws(StoreError) {
        self.directory = directory
        reserve = try ReserveFile(path: path, in: directory)
    }

    /// Whether the reserve occupies its space.
    var isHeld: Bool { reserve.isHeld }

    /// Whether there is enough room for the log of later additions.
    var isAmple: Bool { isHeld && DatabaseFile.space(at: directory).map { $0.free >= 8 << 20 } ?? true }

    /// The space for rows that a full disk has refused: more than is free, in the log and in the database.
    func need(ofRows count: Int, isEncrypted: Bool) -> HistoryHealth.Space {
        let rows = 2 * Int64(count) * (isEncrypted ? 160 : 64)
        let free = DatabaseFile.space(at: directory)?.free ?? 0
        return HistoryHealth.Space(
            directory: directory, bytes: max(rows + (isHeld ? 0 : reserve.size), free + Self.leastSurplus))
    }

    /// Takes the reserve, if it is not held.
    func take() throws(StoreError) { try reserve.take() }

    /// Releases its space for the next write. Returns whether it was held.
    func release() -> Bool { reserve.release() }

    /// Reduces a step that was too large for the free space. Returns whether a smaller one is worth an attempt.
    func stepWasTooLarge() -> Bool {
        defer { step = max(step / 8, Self.smallestStep) }
        return step > Self.smallestStep
    }

    func stepSucceeded() { step = min(step * 2, Self.largestStep) }
}
