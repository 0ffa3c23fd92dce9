import TrackEngine

/// A straight way between two fixes, on which an object may have passed through an area without a fix in it.
struct GeofencePath: BitwiseCopyable {
    let from: EarthVector
    let to: EarthVector
    /// The greater accuracy of both fixes, in metres.
    let accuracy: Double

    /// The length of a piece, in metres, below which it is not halved any more.
    private static let resolution = 2.0
    /// The largest number of tested points of one way.
    private static let maximumPoints = 200

    /// The share of the way at which the object is more likely inside the area than not; `nil` if there is none.
    ///
    /// The test is the same as for a fix there with ``accuracy``. Along a way of length L the distance to the
    /// boundary changes by at most L. Between points with the distances s₁ and s₂ it is therefore at least (s₁ + s₂
    /// - L) / 2: if that is above 0, the piece need not be searched. Other pieces are halved, the first half first,
    /// down to 2 m.
    func share(inside area: borrowing Area) -> Double? {
        var points = Self.maximumPoints
        let piece = Segment(
            start: 0, end: 1, first: area.distance(from: from), last: area.distance(from: to))
        return search(piece, area, length: from.distance(to: to), &points)
    }

    /// A part of the way with the distances to the boundary at its ends.
    private struct Segment: BitwiseCopyable {
        let start: Double
        let end: Double
        let first: Double
        let last: Double
    }

    private func search(_ piece: Segment, _ area: borrowing Area, length: Double, _ points: inout Int) -> Double? {
        let pieceLength = (piece.end - piece.start) * length
        // A thousandth more, because the straight line in space is not divided quite as evenly as the way over
        // ground.
        guard piece.first + piece.last < pieceLength * 1.001, pieceLength > Self.resolution, points > 0 else {
            return nil
        }
        points -= 1
        let middle = (piece.start + piece.end) / 2
        let point = (from + (to - from) * middle).onSurface
        let distance = area.distance(from: point)
        if GeofenceRule.isInside(area, at: point, distance, accuracy) { return middle }
        let first = Segment(start: piece.start, end: middle, first: piece.first, last: distance)
        let second = Segment(start: middle, end: piece.end, first: distance, last: piece.last)
        if let share = search(first, area, length: length, &points) { return share }
        return search(second, area, length: length, &points)
    }
}
