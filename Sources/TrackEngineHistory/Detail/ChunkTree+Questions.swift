import TrackEngine

extension ChunkTree {
    /// Returns the sum of the device's track in a range of milliseconds; `nil` without points.
    func sum(in times: Range<Int64>) throws -> PathSum? {
        var total: PathSum?
        try visit(.coarsest, in: times) { total.join(try sum(of: $0, in: times)) }
        return total
    }

    private func sum(of key: ChunkKey, in times: Range<Int64>) throws -> PathSum? {
        guard key.times.overlaps(times) else { return nil }
        if times.contains(key.times) { return try chunk(key)?.sum }
        guard key.level != .finest else {
            var sum: PathSum?
            try tables.points.drawn(of: device, in: key.times.clamped(to: times)) {
                try budget.look()
                sum.join(PathSum($0))
            }
            return sum
        }
        return try key.parts.reduce(into: nil as PathSum?) { $0.join(try sum(of: $1, in: times)) }
    }

    /// Returns the device's track in a range of milliseconds, nowhere farther than a tolerance in metres from the
    /// points.
    ///
    /// - Throws: ``ChunkBudget/SizeError`` for a track of more than ``ChunkBudget/mostCorners``.
    func path(in times: Range<Int64>, tolerance: Double) throws -> DrawingPath {
        guard !times.isEmpty else { return DrawingPath([]) }
        let length = times.upperBound - times.lowerBound
        // No point of a line that reaches the edge is farther from it in time.
        let around = times.lowerBound - PathSum.longestStep..<times.upperBound + PathSum.longestStep
        guard let level = ChunkLevel.keeping(tolerance: tolerance, within: length) else {
            var points: [DrawingPoint] = []
            try tables.points.drawn(of: device, in: around) {
                try budget.look()
                points.append($0)
                guard points.count <= ChunkBudget.mostCorners else { throw ChunkBudget.SizeError() }
            }
            return DrawingPath(points.withLineBeginnings).cut(to: times)
        }
        try prepare(times)
        var points: [DrawingPoint] = []
        try visit(level, in: around) {
            try budget.look()
            points.append(following: try chunk($0)?.points ?? [])
            guard points.count <= ChunkBudget.mostCorners else { throw ChunkBudget.SizeError() }
        }
        return DrawingPath(points).cut(to: times)
    }

    /// Returns the ranges of milliseconds, each within a chunk of the finest level, in which the device was in a box.
    func visits(to box: GridBox, in times: Range<Int64>) throws -> [Range<Int64>] {
        var found: [Range<Int64>] = []
        try visit(.coarsest, in: times) { try find(box, in: $0, times, &found) }
        return found
    }

    private func find(_ box: GridBox, in key: ChunkKey, _ times: Range<Int64>, _ found: inout [Range<Int64>]) throws {
        guard key.times.overlaps(times) else { return }
        // A chunk that extends beyond the range would match too much, and would have to be made only for this check.
        if times.contains(key.times), try chunk(key)?.sum.box.intersects(box) != true { return }
        guard key.level != .finest else { return found.append(key.times.clamped(to: times)) }
        for part in key.parts { try find(box, in: part, times, &found) }
    }
}

extension PathSum? {
    /// Appends the sum of a range that follows, if there is one.
    fileprivate mutating func join(_ next: PathSum?) {
        guard let next else { return }
        if self?.append(next) == nil { self = next }
    }
}

extension Range {
    fileprivate func contains(_ other: Range) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
