internal import TrackEngine

/// A track with its trips, stops and mistakes on a map.
struct TripMap {
    /// The most labels; more would cover the map.
    private static let mostLabels = 40
    /// The most correct stops, and the most mistakes, that are drawn.
    private static let mostMarks = 500

    let trial: TripTrial
    let rows: [TripRow]
    let marks: [TripMark]

    /// Draws the whole track.
    func draw(_ page: inout Markup) {
        let fixes = trial.recording.fixes.map(\.fix)
        let frame = MapPlane(showing: fixes, size: .map)
        let words = "A map of the track: trips as lines, \(marks.count) stops and missed rests as circles."
        page.figure("Track, trips and stops", words, size: .map) { svg in
            svg.empty("path", ["d": PathText.lines([fixes.map { frame.point($0.coordinate) }]), "class": "track"])
            drawTrips(frame, &svg)
            // Mistakes are drawn above correct stops.
            let (mistakes, others) = (marks.filter(\.isMistake), marks.filter { !$0.isMistake })
            for mark in others.prefix(Self.mostMarks) { mark.draw(frame, &svg) }
            for mark in mistakes.prefix(Self.mostMarks) { mark.draw(frame, &svg) }
            drawLabels(frame, &svg)
            frame.drawScaleBar(&svg)
        }
    }

    /// Draws two paths, each of every second trip, to make the ends of trips visible.
    private func drawTrips(_ frame: MapPlane, _ svg: inout Markup) {
        var pieces: [[[SVGPoint]]] = [[], []]
        var number = 0
        for row in rows {
            guard case .trip = row.kind else { continue }
            let fixes = trial.recording.fixes(in: row.span, margin: 0)
            pieces[number % 2].append(fixes.map { frame.point($0.coordinate) })
            number += 1
        }
        for (lines, kind) in zip(pieces, ["way", "way other"]) where !lines.isEmpty {
            svg.empty("path", ["d": PathText.lines(lines), "class": kind])
        }
    }

    private func drawLabels(_ frame: MapPlane, _ svg: inout Markup) {
        let chosen = (marks.filter(\.isMistake) + marks.filter { !$0.isMistake }).prefix(Self.mostLabels)
        let points = chosen.map { frame.point($0.centre) }
        var places = LabelPositions(
            height: 12, within: (x: 2...SVGSize.map.width - 2, y: 12...SVGSize.map.height - 2), avoiding: points)
        for (mark, point) in zip(chosen, points) {
            let place = places.place(beside: point, width: Double(mark.label.count) * 6.5)
            let x = point.x + (place.isLeft ? -LabelPositions.gap : LabelPositions.gap)
            svg.element("g", ["class": mark.style]) { svg in
                svg.label(
                    mark.label, at: SVGPoint(x: x, y: place.y), anchor: place.isLeft ? .end : .start, of: "number")
            }
        }
    }
}

extension SVGSize {
    /// The size of a single map.
    static let map = SVGSize(width: 720, height: 420)
}
