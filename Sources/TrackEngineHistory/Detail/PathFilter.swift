import TrackEngine

/// Removes points that a line between the remaining points does not need; the first and the last point of each line
/// remain.
///
/// At each point's own time the line is at most the tolerance from it (``DeviationFilter``), so it is no farther in
/// space either. Between two points both lines are straight: nowhere is the one farther from the other.
///
/// An unrealistic track, such as a zigzag over half the Earth, would leave more points than can be stored and drawn.
/// So the tolerance grows as soon as more points remain than a chunk of a real track has.
struct PathFilter {
    /// The most points that remain, in addition to the two ends of each line: eight times those of a chunk in a
    /// city's streets.
    static let mostPoints = 8_192
    /// In metres. No track is farther than this from a line; further points that remain are of one millisecond.
    private static let widest = 2e7

    /// In metres.
    private var tolerance: Double
    private var filter: DeviationFilter
    private var kept: [DrawingPoint] = []
    private var lineCount = 0
    /// The newest point, and the number of earlier points of the same time.
    private var newest: (time: Int64, repetitions: Int64)?

    /// Begins with a tolerance in metres.
    init(tolerance: Double) {
        self.tolerance = tolerance
        filter = DeviationFilter(maximumDeviation: tolerance)
    }

    /// Adds the next point by time, which marks whether it begins a line.
    mutating func offer(_ point: DrawingPoint) {
        let begins = newest == nil || point.beginsLine
        if begins {
            flush()
            filter = DeviationFilter(maximumDeviation: tolerance)
            lineCount += 1
        }
        let start = kept.endIndex
        // The filter treats a time that does not rise as a new track. Some senders give whole seconds only.
        let repetitions = !begins && newest?.time == point.time ? min((newest?.repetitions ?? 0) + 1, 999) : 0
        newest = (point.time, repetitions)
        var decided: [DrawingPoint] = []
        filter.offer(point.fix(microsecondsLater: repetitions)) { decided.append($0) }
        kept += decided
        if begins, start < kept.endIndex { kept[start].beginsLine = point.beginsLine }
        if kept.count > Self.mostPoints + 2 * lineCount { coarsen() }
    }

    /// Returns the remaining points; no point may be offered afterwards.
    mutating func finish() -> [DrawingPoint] {
        flush()
        return kept
    }

    private mutating func flush() {
        var decided: [DrawingPoint] = []
        filter.flush { decided.append($0) }
        kept += decided
    }

    /// Removes at least half of the points, so that this is rarely necessary.
    private mutating func coarsen() {
        flush()
        while kept.count > Self.mostPoints / 2 + 2 * lineCount {
            if tolerance < Self.widest {
                tolerance *= 16
                var simplifier = PathFilter(tolerance: tolerance)
                for point in kept { simplifier.offer(point) }
                kept = simplifier.finish()
            } else {
                let ends = Set(kept.indices.filter { $0 + 1 == kept.endIndex || kept[$0 + 1].beginsLine })
                kept = kept.enumerated().filter { $0 % 2 == 0 || $1.beginsLine || ends.contains($0) }.map(\.element)
            }
        }
        filter = DeviationFilter(maximumDeviation: tolerance)
        if let last = kept.last { filter.restart(at: last.fix(microsecondsLater: newest?.repetitions ?? 0)) }
    }
}

extension [DrawingPoint] {
    /// Appends a point that the recording rule returned.
    fileprivate mutating func append(_ fix: Fix) {
        if let point = DrawingPoint(fix) { append(point) }  // always succeeds: the fix was made from a point
    }
}
