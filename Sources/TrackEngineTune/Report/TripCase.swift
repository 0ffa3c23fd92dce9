internal import TrackEngine
internal import TrackEnginePlaces
internal import TrackEngineSettings

/// One mistake or, without labels, one stop, in detail.
struct TripCase {
    let trial: TripTrial
    let mark: TripMark
    /// All marks of the track; nearby ones are drawn, too.
    let marks: [TripMark]

    /// The most interesting cases of a track, at most `limit`: mistakes or, without labels, the shortest stops,
    /// which are the least certain.
    static func cases(of trial: TripTrial, _ marks: [TripMark], limit: Int) -> [TripCase] {
        let shortest = { marks.sorted { $0.row.span.length < $1.row.span.length } }
        let chosen = trial.judgement == nil ? shortest() : marks.filter(\.isMistake)
        return chosen.prefix(limit).map { TripCase(trial: trial, mark: $0, marks: marks) }
    }

    private var caption: String {
        let (from, to) = (trial.offset(mark.row.span.begin), trial.offset(mark.row.span.end))
        let word = mark.row.word.isEmpty || mark.row.word == "missed" ? "" : " (\(mark.row.word))"
        let what = mark.row.kind == .missed ? "Missed rest" : mark.row.title.capitalisedFirst + word
        return "\(what): \(from.fixed(0)) to \(to.fixed(0)) s, \(Duration.seconds(to - from).clock)"
    }

    /// Draws the case with the minutes before and after.
    func draw(_ page: inout Markup) {
        let margin = max(60, trial.settings.stopAfter.inSeconds / 2)
        let fixes = trial.recording.fixes(in: mark.row.span, margin: margin)
        let within = trial.recording.fixes(in: mark.row.span, margin: 0)
        let reach = within.map { $0.coordinate.distance(to: mark.centre) }.max() ?? 0
        let frame = MapPlane(around: mark.centre, metres: max(30, 1.3 * mark.radius, min(1.6 * reach, 400)))
        page.figure(caption, "A map from near: the fixes in its time large, those around it small.") { svg in
            let points = fixes.map { frame.point($0.coordinate) }
            svg.empty("path", ["d": PathText.lines([points]), "class": "track"])
            svg.empty("path", ["d": PathText.dots(points), "class": "fixes"])
            for other in marks where other.centre.distance(to: mark.centre) < 600 { other.draw(frame, &svg) }
            svg.element("g", ["class": mark.style]) { svg in
                svg.empty(
                    "path",
                    ["d": PathText.dots(within.map { frame.point($0.coordinate) }), "class": "dots"])
            }
            frame.drawScaleBar(&svg)
        }
    }
}

extension String {
    fileprivate var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
