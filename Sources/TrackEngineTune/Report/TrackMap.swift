internal import TrackEngine

/// The whole track and the records of a rule.
struct TrackMap {
    /// The id of the track's path on the page, since every map shows it.
    static let trackID = "track"

    private let track: RecordedTrack
    private let frame: MapPlane

    /// Maps of a track.
    init(_ track: RecordedTrack) {
        self.track = track
        frame = MapPlane(showing: track.fixes)
    }

    /// Defines the track's path, once per page.
    func define(_ page: inout Markup) {
        page.element("svg", ["class": "defs", "aria-hidden": "true"]) { svg in
            svg.element("defs") { defs in
                defs.empty("path", ["id": Self.trackID, "d": PathText.lines(pieces, limit: 6000)])
            }
        }
    }

    /// The fixes, split where the receiver was off.
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

    /// Draws the records of a rule.
    func draw(_ outcome: RuleOutcome, _ page: inout Markup) {
        let points = outcome.kept.map { frame.point(track.fixes[Int($0)].coordinate) }
        page.figure(
            "Track and records",
            "A map of the track with the \(outcome.records) records of the rule \(outcome.rule.label) as dots."
        ) { svg in
            svg.empty("use", ["href": "#\(Self.trackID)", "class": "track"])
            svg.empty("path", ["d": PathText.dots(points), "class": points.count > 400 ? "dots small" : "dots"])
            frame.drawScaleBar(&svg)
        }
    }
}
