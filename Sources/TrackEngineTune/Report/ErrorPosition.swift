internal import TrackEngine
internal import TrackEngineSettings

/// The position with the largest error of a rebuilt track, in detail.
struct ErrorPosition {
    /// The number of fixes before and after the position that are drawn.
    private static let reach = 2000

    private let track: RecordedTrack
    private let outcome: RuleOutcome
    private let frame: MapPlane
    /// The fix with the largest error, and the rebuilt position for its time.
    private let (fix, rebuilt): (Coordinate, Coordinate)
    private let fixes: Range<Int>
    private let kept: Range<Int>

    /// The position with the largest error of a rule on a track.
    init(_ track: RecordedTrack, _ outcome: RuleOutcome) {
        self.track = track
        self.outcome = outcome
        let worst = outcome.error.worst
        let next = outcome.kept.firstPlace(notBelow: Int32(worst))
        fix = track.fixes[worst].coordinate
        rebuilt = RebuiltTrack(track.fixes, kept: outcome.kept).place(of: worst, next: next)
        frame = MapPlane(
            around: fix.middle(to: rebuilt), metres: max(15, 1.6 * outcome.error.largest))
        fixes = max(0, worst - Self.reach)..<min(track.fixes.count, worst + Self.reach + 1)
        kept = max(0, next - Self.reach)..<min(outcome.kept.count, next + Self.reach)
    }

    /// Draws the position.
    func draw(_ page: inout Markup) {
        let error = "\(outcome.error.largest.fixed(1)) m"
        page.figure(
            "Farthest off: \(error)",
            "A map from near: recorded fixes, the records, the straight line between them, and from the fix that is "
                + "farthest off the \(error) to where the records put it."
        ) { svg in
            let recorded = track.fixes[fixes].map { frame.point($0.coordinate) }
            let records = outcome.kept[kept].map { frame.point(track.fixes[Int($0)].coordinate) }
            svg.empty("path", ["d": PathText.lines([recorded]), "class": "track"])
            svg.empty("path", ["d": PathText.dots(recorded), "class": "fixes"])
            svg.empty("path", ["d": PathText.lines([records]), "class": "rebuilt"])
            svg.empty("path", ["d": PathText.dots(records), "class": "dots large"])
            drawError(error, &svg)
            frame.drawScaleBar(&svg)
        }
    }

    private func drawError(_ text: String, _ svg: inout Markup) {
        let (from, to) = (frame.point(fix), frame.point(rebuilt))
        svg.empty("path", ["d": PathText.lines([[from, to]]), "class": "error"])
        svg.empty("circle", ["cx": from.x.svg, "cy": from.y.svg, "r": "4", "class": "errorend"])
        let top = from.y < to.y ? from : to
        svg.label(text, at: SVGPoint(x: top.x, y: max(14, top.y - 9)), anchor: .middle, of: "strong")
    }
}

extension Coordinate {
    /// The position half-way to another one nearby.
    fileprivate func middle(to other: Coordinate) -> Coordinate {
        let east = (other.longitude - longitude).onShorterWay
        return Coordinate(
            latitude: (latitude + other.latitude) / 2, longitude: (longitude + east / 2).onShorterWay)
    }
}

extension [Int32] {
    /// The first index with a number that is not below the given one; the count, if there is none. The numbers
    /// increase.
    fileprivate func firstPlace(notBelow number: Int32) -> Int {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = self[middle] < number ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
