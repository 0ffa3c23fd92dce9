import TrackEngine

/// The values of a point that a map draws and colours a path by.
struct DrawingPoint: Sendable, Hashable {
    /// Milliseconds since 1970.
    let time: Int64
    let place: GridPosition
    /// Centimetres.
    let altitude: Int64?
    /// Centimetres per second.
    let speed: Int64?
    let activity: Activity?
    /// Whether a line begins here, because the previous point is too long ago. It is a property of points, because a
    /// simplified line has long steps that are no gaps.
    var beginsLine = false
}

extension [DrawingPoint] {
    /// Appends points that follow, and marks the first one when there is a gap before it.
    mutating func append(following next: [DrawingPoint]) {
        let seam = endIndex
        append(contentsOf: next)
        guard seam > startIndex, seam < endIndex else { return }
        self[seam].beginsLine = PathSum.isGap(from: self[seam - 1].time, to: self[seam].time)
    }

    /// These points, taken as all there are, each marked when there is a gap before it.
    var withLineBeginnings: [DrawingPoint] {
        var points = self
        for index in points.indices.dropFirst() {
            points[index].beginsLine = PathSum.isGap(from: points[index - 1].time, to: points[index].time)
        }
        return points
    }

    /// The lines, each with one point at least.
    var lines: [ArraySlice<DrawingPoint>] {
        guard !isEmpty else { return [] }
        let begins = [startIndex] + indices.dropFirst().filter { self[$0].beginsLine }
        return zip(begins, begins.dropFirst() + [endIndex]).map { self[$0..<$1] }
    }
}

extension DrawingPoint {
    /// Returns the point as a fix for the recording rule; ``init(_:)`` reverses it, losing only ``beginsLine`` and
    /// less than a millisecond.
    func fix(microsecondsLater: Int64 = 0) -> Fix {
        Fix(
            time: Timestamp(millisecondsSince1970: time).advanced(by: .microseconds(microsecondsLater)),
            coordinate: place.coordinate,
            altitude: altitude.map { Double($0) / 100 }, speed: speed.map { Double($0) / 100 }, activity: activity)
    }

    /// A point that ``fix`` gave.
    init?(_ fix: Fix) {
        guard let place = GridPosition(fix.coordinate) else { return nil }
        time = fix.time.millisecondsSince1970
        self.place = place
        altitude = fix.altitude?.hundredths
        speed = fix.speed?.hundredths
        activity = fix.activity
    }
}
