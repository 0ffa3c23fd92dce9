/// The coarseness of a drawing: level 0 deviates by at most a metre, each following level by at most twice as much as
/// the one before.
///
/// A chunk of level 0 covers a quarter of an hour, a chunk of each following level twice the time of the one before.
/// As a coarser drawing needs half as many points, the chunks of all levels have about the same number.
struct ChunkLevel: Sendable, Hashable {
    let number: Int

    /// All stored levels. The coarsest one deviates by 65 km and covers two years.
    static let all = (0...16).map(ChunkLevel.init(number:))
    static let finest = ChunkLevel(number: 0)
    static let coarsest = ChunkLevel(number: 16)

    /// The greatest deviation of a drawing from the points, in metres.
    var tolerance: Double { Double(1 << number) }

    /// The allowed deviation from the drawing of the finer level; added to that level's own deviation, it keeps
    /// ``tolerance``.
    var ownTolerance: Double { self == .finest ? tolerance : tolerance / 2 }

    /// The time that a chunk covers, in milliseconds.
    var span: Int64 { 900_000 << Int64(number) }

    /// The finer level; `nil` for the finest.
    var finer: ChunkLevel? { number == 0 ? nil : ChunkLevel(number: number - 1) }

    /// The coarsest level that keeps a tolerance in metres and whose chunks are no longer than a time in
    /// milliseconds: parts of longer chunks would be made without being used. `nil` when only the points themselves
    /// keep the tolerance.
    static func keeping(tolerance: Double, within length: Int64) -> ChunkLevel? {
        guard finest.tolerance <= tolerance else { return nil }
        return all.last { $0.tolerance <= tolerance && $0.span <= length } ?? finest
    }
}

/// The key of a chunk: its level, and its number within the level, counted from 1970.
struct ChunkKey: Sendable, Hashable {
    let level: ChunkLevel
    let number: Int64

    init(level: ChunkLevel, number: Int64) {
        self.level = level
        self.number = number
    }

    /// The chunk of a level that contains a time in milliseconds.
    init(level: ChunkLevel, containing time: Int64) {
        // Rounded down, also before 1970.
        self.init(level: level, number: time / level.span - (time % level.span < 0 ? 1 : 0))
    }

    /// Its time in milliseconds.
    var times: Range<Int64> { number * level.span..<(number + 1) * level.span }

    /// The two chunks of the finer level that it is made of; none for the finest.
    var parts: [ChunkKey] {
        guard let finer = level.finer else { return [] }
        return [ChunkKey(level: finer, number: 2 * number), ChunkKey(level: finer, number: 2 * number + 1)]
    }
}
