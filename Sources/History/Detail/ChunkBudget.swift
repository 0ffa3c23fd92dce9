/// How many chunks of the finest level a transaction makes at the most, so that no other call waits long for its turn.
final class ChunkBudget {
    /// There is more to make than a transaction may; what it has made stays, and the next one goes on.
    struct Spent: Error {}

    private var left: Int

    init(_ count: Int) { left = count }

    /// Makes a chunk, if one more may be made. One that comes to nothing, because its rows are damaged, counts for nothing: it
    /// is not kept, and a budget that it had used up would never be enough.
    func spend(on make: () throws -> Chunk?) throws -> Chunk? {
        guard left > 0 else { throw Spent() }
        let made = try make()
        if made != nil { left -= 1 }
        return made
    }

    /// Makes a drawing, if one more thing may be made.
    func spendOnDrawing(_ draw: () throws -> Void) throws {
        guard left > 0 else { throw Spent() }
        try draw()
        left -= 1
    }
}
