import TrackEngine

/// A way as lines; between two lines is a gap.
struct DrawnPath: Sendable, Hashable {
    private(set) var lines: [[DrawnPoint]]

    /// The way along points in the order of time.
    init(_ points: [DrawnPoint]) { lines = points.lines.map(Array.init) }

    /// The part within a range of milliseconds. A line that goes on beyond it ends at the edge, where it is at that time.
    func cut(to times: Range<Int64>) -> DrawnPath {
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

extension DrawnPoint {
    /// Where an even way to a later point is at a time; the shorter way around the Earth.
    fileprivate func moved(to next: DrawnPoint, at time: Int64) -> DrawnPoint {
        let part = Double(time - self.time) / Double(next.time - self.time)
        var east = Double(next.place.longitude) - Double(place.longitude)
        if abs(east) > 1.8e9 { east -= east < 0 ? -3.6e9 : 3.6e9 }
        var longitude = Double(place.longitude) + part * east
        if abs(longitude) > 1.8e9 { longitude -= longitude < 0 ? -3.6e9 : 3.6e9 }
        let latitude = Double(place.latitude) + part * (Double(next.place.latitude) - Double(place.latitude))
        let place = GridPlace(latitude: Int32(latitude.rounded()), longitude: Int32(longitude.rounded()))
        return DrawnPoint(time: time, place: place, altitude: altitude, speed: speed, activity: activity)
    }
}
