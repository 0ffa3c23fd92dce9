import TrackEngine

/// A track as lines; between two lines is a gap.
struct DrawingPath: Sendable, Hashable {
    private(set) var lines: [[DrawingPoint]]

    /// The track along points in the order of time.
    init(_ points: [DrawingPoint]) { lines = points.lines.map(Array.init) }

    /// Returns the part within a range of milliseconds. A line that continues beyond the range ends at its position
    /// at the edge.
    func cut(to times: Range<Int64>) -> DrawingPath {
        var path = self
        path.lines = lines.compactMap { line in
            let inside = line.filter { times.contains($0.time) }
            let before = line.last { $0.time < times.lowerBound }
            let after = line.first { $0.time >= times.upperBound }
            var cut = inside
            if let before, let next = inside.first ?? after, next.time > times.lowerBound {
                cut.insert(before.moved(to: next, at: times.lowerBound), at: 0)
            }
            if let after, let last = inside.last ?? before { cut.append(last.moved(to: after, at: times.upperBound)) }
            return cut.isEmpty ? nil : cut
        }
        return path
    }
}

extension DrawingPoint {
    /// Returns the position at a time on an even movement to a later point, the shorter way around the Earth.
    fileprivate func moved(to next: DrawingPoint, at time: Int64) -> DrawingPoint {
        let part = Double(time - self.time) / Double(next.time - self.time)
        return DrawingPoint(
            time: time, place: place.moved(to: next.place, part), altitude: altitude, speed: speed, activity: activity)
    }
}

extension GridPosition {
    /// Returns the position after a part, from 0 to 1, of the movement to another place: even in latitude and
    /// longitude, the shorter way around.
    func moved(to next: GridPosition, _ part: Double) -> GridPosition {
        var east = Double(next.longitude) - Double(longitude)
        if abs(east) > 1.8e9 { east -= east < 0 ? -3.6e9 : 3.6e9 }
        var farther = Double(longitude) + part * east
        if abs(farther) > 1.8e9 { farther -= farther < 0 ? -3.6e9 : 3.6e9 }
        let north = Double(latitude) + part * (Double(next.latitude) - Double(latitude))
        return GridPosition(latitude: Int32(north.rounded()), longitude: Int32(farther.rounded()))
    }
}
