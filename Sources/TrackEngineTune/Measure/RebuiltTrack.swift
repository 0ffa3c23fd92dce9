package import TrackEngine

/// The track that a reader of the records sees, and its distance to the fixes.
///
/// Between two records `a` and `b` the position is assumed to change linearly in time, in degrees, on the shorter
/// way around:
///
///     s(t)   = (t - t_a) / (t_b - t_a)
///     lat(t) = lat_a + s · (lat_b - lat_a)          lon(t) = lon_a + s · (lon_b - lon_a)
///
/// as `RebuiltSegment` computes it. The error of a fix is the distance over ground, in metres, between its position
/// and the rebuilt position at the fix's own time: the *synchronized Euclidean distance*. It is never less than the
/// distance to the drawn line, and also depends on the time at which the object was there. Before the first record
/// the rebuilt position is that of the first, after the last one that of the last. Heights are ignored.
///
/// Worked example on the equator, where a degree of longitude is 111 195 m: records at 0 s (0°, 0°) and 10 s (0°,
/// 0.001°). A fix at 5 s at (0°, 0.0004°) is 11.1 m from the position rebuilt for 5 s, 0.0005°, although it is on
/// the line.
package struct RebuiltTrack {
    private let fixes: [Fix]
    private let kept: [Int32]

    /// A track rebuilt from the fixes with these numbers, which increase.
    package init(_ fixes: [Fix], kept: [Int32]) {
        self.fixes = fixes
        self.kept = kept
    }

    /// Calls `body` with the number and the error in metres of each fix, in order. It makes one pass and allocates
    /// no memory.
    ///
    /// Without a record there is no track and no error.
    package func eachError(_ body: (Int, Double) -> Void) {
        guard !kept.isEmpty else { return }
        var next = 0
        for index in fixes.indices {
            while next < kept.count, kept[next] < index { next += 1 }
            let isKept = next < kept.count && kept[next] == index
            body(index, isKept ? 0 : place(of: index, next: next).distance(to: fixes[index].coordinate))
        }
    }

    /// The object's position at the time of a fix, according to the records. At least one record is required.
    ///
    /// - Parameters:
    ///   - index: the number of the fix.
    ///   - next: the index in the list of records of the first one that is not before the fix; their count if all
    ///     are before.
    package func place(of index: Int, next: Int) -> Coordinate {
        let start = fixes[Int(kept[max(0, next - 1)])]
        let end = fixes[Int(kept[min(next, kept.count - 1)])]
        guard start.time < end.time else { return start.coordinate }  // before the first record, or after the last
        return RebuiltSegment(from: start, to: end).coordinate(at: fixes[index].time)
    }
}
