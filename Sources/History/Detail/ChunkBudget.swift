import TrackEngine

/// The cost of a question: how much its transaction makes at the most, so that no other call waits long for its turn, and until when
/// it may go on in all.
final class ChunkBudget {
    /// There is more to make than a transaction may; what it has made stays, and the next one goes on.
    struct Spent: Error {}
    /// The answer would have more corners or cells than one may have.
    struct TooMuch: Error {}

    /// The most corners of an answer: more than two days of a fix a second have.
    static let mostCorners = 200_000

    /// The points of which one transaction makes chunks: some thirty milliseconds of work.
    static let points = 32_768
    /// What a chunk costs at the least, in points: looking for them, and keeping it.
    private static let leastCost = 32
    /// What a drawing costs beside its chunks.
    private static let drawingCost = 1_024

    private var left: Int
    private let deadline: ContinuousClock.Instant?
    private var looks = 0
    /// How many bytes were kept for later answers.
    var kept = 0

    init(_ points: Int, until deadline: ContinuousClock.Instant? = nil) {
        left = points
        self.deadline = deadline
    }

    /// Looks now and then, when it is called for each row, whether somebody still waits and the time is not over.
    ///
    /// - Throws: where the question ends here.
    func look() throws {
        looks &+= 1
        guard looks & 0xff == 0 else { return }
        guard !Task.isCancelled else { throw StoreError(.cancelled, "the question was cancelled") }
        if let deadline, ContinuousClock.now > deadline { throw StoreError.late }
    }

    /// Makes a chunk, if one more may be made. One that comes to nothing, because its rows are damaged, counts for nothing: it
    /// is not kept, and a budget that it had used up would never be enough.
    func spend(on make: () throws -> Chunk?) throws -> Chunk? {
        guard left > 0 else { throw Spent() }
        let made = try make()
        if let made { left -= max(made.sum.count, Self.leastCost) }
        return made
    }

    /// Makes a drawing, if one more thing may be made.
    func spendOnDrawing(_ draw: () throws -> Void) throws {
        guard left > 0 else { throw Spent() }
        try draw()
        left -= Self.drawingCost
    }
}

extension StoreError {
    /// An answer that takes too long.
    static let late = StoreError(
        .slow, "the answer takes too long; its finished part is kept: ask again, or for a shorter time")
}
