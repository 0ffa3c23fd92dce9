internal import TrackEngine

/// The whole track and what a rule keeps of it.
struct TrackMap {
    /// The name under which the page has the track's path, since every map shows it.
    static let trackID = "track"

    private let track: RecordedTrack
    private let frame: MapFrame

    /// Maps of a track.
    init(_ track: RecordedTrack) {
        self.track = track
        frame = MapFrame(showing: track.fixes)
    }

    /// Defines the track's path, once for the page.
    func define(_ page: inout Markup) {
        page.element("svg", ["class": "defs", "aria-hidden": "true"]) { svg in
            svg.element("defs") { defs in
                defs.empty("path", ["id": Self.trackID, "d": PathData.lines(pieces, limit: 6000)])
            }
        }
    }

    /// The fixes, broken where the receiver was off.
    private var pieces: [[SVGPoint]] {
        var pieces: [[SVGPoint]] = [[]]
        var last: Timestamp?
        for fix in track.fixes {
            if let last, fix.time.duration(since: last) > RecordedTime.longestGap { pieces.append([]) }
            last = fix.time
            pieces[pieces.count - 1].append(frame.point(fix.coordinate))
        }
        return pieces
    }

    /// Draws what a rule keeps.
    func draw(_ outcome: RuleOutcome, _ page: inout Markup) {
        let points = outcome.kept.map { frame.point(track.fixes[Int($0)].coordinate) }
        page.figure(
            "Track and records",
            "A map of the track with the \(outcome.records) records of the rule \(outcome.rule.label) as dots."
        ) { svg in
            svg.empty("use", ["href": "#\(Self.trackID)", "class": "track"])
            svg.empty("path", ["d": PathData.dots(points), "class": points.count > 400 ? "dots small" : "dots"])
            frame.drawScaleBar(&svg)
        }
    }
}
