package import TrackEngine

/// The track that a reader of the records sees, and how far it is from the fixes.
///
/// Between two records `a` and `b` the place is taken to change linearly in time, in degrees, on the shorter way around:
///
///     s(t)   = (t - t_a) / (t_b - t_a)
///     lat(t) = lat_a + s · (lat_b - lat_a)          lon(t) = lon_a + s · (lon_b - lon_a)
///
/// The error of a fix is the distance over ground, in metres, between its place and the rebuilt place at the fix's own
/// time: the *synchronized Euclidean distance*. It is never less than the distance to the drawn line, and says besides
/// whether the thing was there at that time. Before the first record the rebuilt place is that of the first, after the last
/// one that of the last. Heights play no part.
///
/// Worked example on the equator, where a degree of longitude is 111 195 m: records at 0 s (0°, 0°) and 10 s (0°, 0.001°).
/// A fix at 5 s at (0°, 0.0004°) is 11.1 m from the place rebuilt for 5 s, 0.0005°, though it lies on the line.
package struct RebuiltTrack {
    private let fixes: [Fix]
    private let kept: [Int32]

    /// A track rebuilt from the fixes of these numbers, which increase.
    package init(_ fixes: [Fix], kept: [Int32]) {
        self.fixes = fixes
        self.kept = kept
    }

    /// Calls `body` with the number and the error in metres of each fix, in order. One pass, no memory.
    ///
    /// Without a record there is no track and no error.
    package func eachError(_ body: (Int, Double) -> Void) {
        guard let first = kept.first else { return }
        var next = 0  // the place in `kept` of the first record that is not before the fix
        for index in fixes.indices {
            while next < kept.count, Int(kept[next]) < index { next += 1 }
            let end = Int(next < kept.count ? kept[next] : kept[kept.count - 1])
            let start = next == 0 ? Int(first) : Int(kept[next - 1])
            body(index, error(of: index, between: start, and: end))
        }
    }

    /// Where a reader sees the thing at the time of a fix between two records.
    package static func place(from start: Fix, to end: Fix, at time: Timestamp) -> Coordinate {
        let duration = end.time.duration(since: start.time).inSeconds
        guard duration > 0 else { return start.coordinate }
        let share = min(1, max(0, time.duration(since: start.time).inSeconds / duration))
        let (from, to) = (start.coordinate, end.coordinate)
        let east = (to.longitude - from.longitude).onShorterWay
        return Coordinate(
            latitude: from.latitude + share * (to.latitude - from.latitude),
            longitude: (from.longitude + share * east).onShorterWay)
    }

    private func error(of index: Int, between start: Int, and end: Int) -> Double {
        if index == start || index == end { return 0 }
        let place = Self.place(from: fixes[start], to: fixes[end], at: fixes[index].time)
        return place.distance(to: fixes[index].coordinate)
    }
}

extension Double {
    /// The same angle in degrees within -180 to 180, for one within -540 to 540.
    var onShorterWay: Double {
        if self > 180 { return self - 360 }
        return self < -180 ? self + 360 : self
    }
}
