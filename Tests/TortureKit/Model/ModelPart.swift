import TrackEngineSimulated

/// Random sequences of calls, crashes, settings and clocks agree with a model, or are shrunk to the least that does not.
package struct ModelPart: TorturePart {
    package let name = "model"
    package let summary = """
        random sequences of append, deliver, settle, refuse, prune, quota, crash, reopen, clock and settings, compared \
        with the TestKit's model after each move; a failing one is shrunk
        """
    package let bar = "equal"
    package let patience = 120.0

    /// One sequence in so many has a quota in bytes; it appends more and takes longer.
    private static let quotaEvery = 25
    private static let moves = 25

    package init() {}

    package func tries(at scale: TortureScale, on bench: TortureBench) -> [Int] {
        Array(0..<(scale == .full ? 20_000 : 60))
    }

    package func attempt(_ number: Int, on bench: TortureBench) async throws -> TryResult {
        var random = bench.random(name, number)
        let isBounded = number % Self.quotaEvery == 0
        let moves = ModelMove.sequence(Self.moves, isBounded: isBounded, using: &random)
        var result = TryResult(counts: ["moves": moves.count, "with a quota in bytes": isBounded ? 1 : 0])
        guard try await difference(of: moves, on: bench) != nil else { return result }
        let least = try await shrink(moves, on: bench)
        let difference = try await difference(of: least, on: bench) ?? "the difference does not come again"
        result.violations = ["\(difference); shrunk to \(least.count) moves: \(least)"]
        return result
    }

    private func difference(of moves: [ModelMove], on bench: TortureBench) async throws -> String? {
        try await bench.withFolder { await ModelPlay.difference(of: moves, in: $0) }
    }

    /// Leaves moves out, many at a time and then fewer, as long as the sequence still differs.
    func shrink(_ moves: [ModelMove], on bench: TortureBench) async throws -> [ModelMove] {
        var least = moves
        var size = max(1, moves.count / 2)
        while true {
            var start = 0
            var hasShrunk = false
            while start < least.count {
                let shorter = Array(least[..<start] + least[min(start + size, least.count)...])
                if try await difference(of: shorter, on: bench) != nil {
                    (least, hasShrunk) = (shorter, true)
                } else {
                    start += size
                }
            }
            if size == 1 && !hasShrunk { return least }
            size = max(1, size / 2)
        }
    }
}
