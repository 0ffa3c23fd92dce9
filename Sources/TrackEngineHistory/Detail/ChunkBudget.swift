import TrackEngine

/// The budget of a query: the most work of one transaction, so that no other call waits long for its turn, and the
/// deadline of the whole query.
final class ChunkBudget {
    /// More has to be made than one transaction may make; the finished part stays, and the next transaction
    /// continues.
    struct Interruption: Error {}
    /// The answer would have more corners or cells than allowed.
    struct SizeError: Error {}

    /// The most corners of an answer: more than two days with a fix a second have.
    static let mostCorners = 200_000

    /// The number of points that one transaction turns into chunks: some thirty milliseconds of work.
    static let points = 32_768
    /// The least cost of a chunk, in points: for finding and storing it.
    private static let leastCost = 32
    /// The cost of a drawing in addition to its chunks.
    private static let drawingCost = 1_024

    private var left: Int
    private let deadline: ContinuousClock.Instant?
    private let willLook: @Sendable () -> Void
    private var looks = 0
    /// The number of bytes that were stored for later answers.
    var kept = 0

    init(
        _ points: Int, until deadline: ContinuousClock.Instant? = nil, willLook: @escaping @Sendable () -> Void = {}
    ) {
        left = points
        self.deadline = deadline
        self.willLook = willLook
    }

    /// Checks at intervals, when called for each row, that the caller still waits and the deadline has not passed.
    ///
    /// - Throws: when the query is cancelled or late.
    func look() throws {
        looks &+= 1
        guard looks & 0xff == 0 else { return }
        willLook()
        guard !Task.isCancelled else { throw StoreError(.cancelled, "the question was cancelled") }
        if let deadline, ContinuousClock.now > deadline { throw StoreError.late }
    }

    /// Makes a chunk, if the budget allows one more. A chunk without points, because its rows are damaged, costs no
    /// budget: it is not stored, and a budget that it could exhaust would never suffice.
    func spend(on make: () throws -> Chunk?) throws -> Chunk? {
        guard left > 0 else { throw Interruption() }
        let made = try make()
        if let made { left -= max(made.sum.count, Self.leastCost) }
        return made
    }

    /// Makes a drawing, if the budget allows one more.
    func spendOnDrawing(_ draw: () throws -> Void) throws {
        guard left > 0 else { throw Interruption() }
        try draw()
        left -= Self.drawingCost
    }
}

extension StoreError {
    /// The error for an answer that takes too long.
    static let late = StoreError(
        .slow, "the answer takes too long; its finished part is kept: ask again, or for a shorter time")
}
