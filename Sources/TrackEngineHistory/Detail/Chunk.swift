import TrackEngine

/// A device's track in one range of time: its sum, and a drawing that deviates by no more than its level allows.
struct Chunk: Sendable, Hashable {
    let sum: PathSum
    let points: [DrawingPoint]

    /// Joins adjacent chunks of a finer level; `nil` without any.
    init?(joining parts: [Chunk], tolerance: Double) {
        guard var sum = parts.first?.sum else { return nil }
        var points = parts[0].points
        for part in parts.dropFirst() {
            sum.append(part.sum)
            points.append(following: part.points)
        }
        self.init(sum: sum, points: points, tolerance: tolerance)
    }

    private init(sum: PathSum, points: [DrawingPoint], tolerance: Double) {
        var simplifier = PathFilter(tolerance: tolerance)
        for point in points { simplifier.offer(point) }
        self.init(sum: sum, points: simplifier.finish())
    }

    /// A chunk as it was stored.
    init(sum: PathSum, points: [DrawingPoint]) {
        self.sum = sum
        self.points = points
    }
}

/// Makes a chunk of points added one after the other, and holds no more of them than a chunk may have.
struct ChunkWriter {
    private var sum: PathSum?
    private var simplifier: PathFilter

    /// A maker of a chunk that deviates by at most a tolerance in metres.
    init(tolerance: Double) { simplifier = PathFilter(tolerance: tolerance) }

    /// Adds the next point by time.
    mutating func take(_ point: DrawingPoint) {
        var next = point
        next.beginsLine = sum.map { PathSum.isGap(from: $0.last.time, to: point.time) } ?? false
        simplifier.offer(next)
        if sum?.append(PathSum(point)) == nil { sum = PathSum(point) }
    }

    /// Returns the chunk of the added points; `nil` without points.
    mutating func finish() -> Chunk? { sum.map { Chunk(sum: $0, points: simplifier.finish()) } }
}
