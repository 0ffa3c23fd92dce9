/// How many chunks of the finest level a transaction makes at the most, so that no other call waits long for its turn.
final class ChunkBudget {
    /// There is more to make than a transaction may; what it has made stays, and the next one goes on.
    struct Spent: Error {}

    private var left: Int

    init(_ count: Int) { left = count }

    func spend() throws(Spent) {
        guard left > 0 else { throw Spent() }
        left -= 1
    }
}
