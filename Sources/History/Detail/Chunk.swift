import TrackEngine

/// A device's way in one stretch of time: what it comes to, and a drawing that is off by no more than its level allows.
struct Chunk: Sendable, Hashable {
    let sum: PathSum
    let points: [DrawnPoint]

    /// Makes a chunk of points in the order of time; `nil` for none.
    init?(of points: [DrawnPoint], tolerance: Double) {
        guard let first = points.first else { return nil }
        var sum = PathSum(first)
        for point in points.dropFirst() { sum.append(PathSum(point)) }
        self.init(sum: sum, points: points.withLineBeginnings, tolerance: tolerance)
    }

    /// Makes a chunk of finer ones that follow each other; `nil` for none.
    init?(joining parts: [Chunk], tolerance: Double) {
        guard var sum = parts.first?.sum else { return nil }
        var points = parts[0].points
        for part in parts.dropFirst() {
            sum.append(part.sum)
            points.append(following: part.points)
        }
        self.init(sum: sum, points: points, tolerance: tolerance)
    }

    private init(sum: PathSum, points: [DrawnPoint], tolerance: Double) {
        self.sum = sum
        self.points = PathSimplifier(tolerance: tolerance).simplify(points)
    }

    /// A chunk as it was stored.
    init(sum: PathSum, points: [DrawnPoint]) {
        self.sum = sum
        self.points = points
    }
}

/// Leaves out points that a line between those that stay does not need.
struct PathSimplifier {
    /// In metres.
    let tolerance: Double

    /// The points that stay, the first and the last one of each line among them.
    ///
    /// At each point's own time the line is at most ``tolerance`` from it (``DeviationFilter``), so it is no farther in space
    /// either, and between two points both lines are straight: nowhere is the one farther from the other.
    func simplify(_ points: [DrawnPoint]) -> [DrawnPoint] {
        var kept: [DrawnPoint] = []
        for line in points.lines {
            let start = kept.endIndex
            var filter = DeviationFilter(maximumDeviation: tolerance)
            func keep(_ fix: Fix) {
                if let point = DrawnPoint(fix) { kept.append(point) }  // always: the fix was made of one
            }
            var (time, repetitions) = (Int64.min, Int64(0))
            for point in line {
                repetitions = point.time == time ? min(repetitions + 1, 999) : 0
                time = point.time
                // The filter takes a time that does not rise as a new track. Some senders tell whole seconds only.
                filter.offer(point.fix(microsecondsLater: repetitions), keep: keep)
            }
            filter.flush(keep: keep)
            kept[start].beginsLine = line[line.startIndex].beginsLine
        }
        return kept
    }
}
