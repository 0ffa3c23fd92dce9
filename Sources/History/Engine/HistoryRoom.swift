import SQLiteAccess
import TrackEngine

/// The disk space that a history takes in addition to the database, and the limit of a single change.
///
/// The reserve lets a full disk be pruned: the log of a removal needs room before the removal frees any.
final class HistoryRoom {
    /// How many points go in one transaction at the most: some ten milliseconds of work.
    private static let largestStep = 5_000
    /// The fewest: their log fits into the smallest reserve.
    private static let smallestStep = 1

    /// How much more than a refused addition found is worth another try, in bytes.
    private static let leastSurplus: Int64 = 64 << 10

    private let directory: String
    private var reserve: DiskReserve
    /// How many points one transaction removes.
    private(set) var step = HistoryRoom.largestStep
    /// The bytes of cached data that were added since the cache was last limited.
    var cacheGrowth: Int64 = 0

    /// Gives the reserve up where the disk is so full that no database could be opened.
    init(path: String, in directory: String) throws(StoreError) {
        self.directory = directory
        reserve = try DiskReserve(path: path, in: directory)
    }

    /// Whether the reserve takes its space.
    var isHeld: Bool { reserve.isHeld }

    /// Whether there is enough room for the log of later additions.
    var isAmple: Bool { isHeld && PosixFile.space(at: directory).map { $0.free >= 8 << 20 } ?? true }

    /// The room that some rows need which a full disk has refused: more than there is, in the log and in the database.
    func need(ofRows count: Int, isEncrypted: Bool) -> HistoryHealth.Need {
        let rows = 2 * Int64(count) * (isEncrypted ? 160 : 64)
        let free = PosixFile.space(at: directory)?.free ?? 0
        return HistoryHealth.Need(
            directory: directory, bytes: max(rows + (isHeld ? 0 : reserve.size), free + Self.leastSurplus))
    }

    /// Takes the reserve, if it is not held.
    func take() throws(StoreError) { try reserve.take() }

    /// Gives its space to the next write; returns whether there was any.
    func release() -> Bool { reserve.release() }

    /// A step was too large for the room that there is; whether a smaller one is worth a try.
    func stepWasTooLarge() -> Bool {
        defer { step = max(step / 8, Self.smallestStep) }
        return step > Self.smallestStep
    }

    func stepSucceeded() { step = min(step * 2, Self.largestStep) }
}
