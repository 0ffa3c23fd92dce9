/// How much a transaction makes for an answer at the most, so that no other call waits long for its turn.
final class ChunkBudget {
    /// There is more to make than a transaction may; what it has made stays, and the next one goes on.
    struct Spent: Error {}

    /// The points of which one transaction makes chunks: some thirty milliseconds of work.
    static let points = 32_768
    /// What a chunk costs at the least, in points: looking for them, and keeping it.
    private static let leastCost = 32
    /// What a drawing costs beside its chunks.
    private static let drawingCost = 1_024

    private var left: Int
    /// How many bytes were kept for later answers.
    var kept = 0

    init(_ points: Int) { left = points }

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
