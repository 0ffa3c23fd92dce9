internal import TrackEngine
internal import TrackEnginePlaces

/// A stop or a missed rest in a drawing.
struct TripMark {
    let row: TripRow
    let centre: Coordinate
    /// The radius in metres.
    let radius: Double

    /// The marks of a trial, in order of time.
    static func marks(_ rows: [TripRow], of trial: TripTrial) -> [TripMark] {
        rows.compactMap { row in
            switch row.kind {
            case .stop(let visit, _): TripMark(row: row, centre: visit.centre, radius: visit.radius)
            case .missed: trial.recording.place(in: row.span).map { TripMark(row: row, centre: $0, radius: 10) }
            case .trip: nil
            }
        }
    }

    /// The style class with its colour.
    var style: String { row.word.isEmpty ? "v-plain" : "v-\(row.word)" }

    /// The label next to the mark.
    var label: String {
        switch row.kind {
        case .stop(_, let number): "\(number)"
        case .missed: "missed"
        case .trip: ""
        }
    }

    /// Whether the mark is a mistake.
    var isMistake: Bool { row.word == "wrong" || row.word == "missed" }

    /// Draws the mark in a frame.
    func draw(_ frame: MapPlane, _ svg: inout Markup) {
        let (point, size) = (frame.point(centre), max(5, radius * frame.scale))
        svg.element("g", ["class": style]) { svg in
            svg.empty("circle", ["cx": point.x.svg, "cy": point.y.svg, "r": size.svg, "class": "disc"])
            guard row.word == "wrong" else { return }
            let (x, y) = (point.x, point.y)
            svg.empty(
                "path",
                [
                    "d": "M\((x - 4).svg) \((y - 4).svg)l8 8M\((x - 4).svg) \((y + 4).svg)l8 -8", "class": "cross",
                ])
        }
    }
}

extension TripRecording {
    /// The fixes of a time span, and of `margin` seconds before and after it.
    func fixes(in span: TimeSpan, margin: Double) -> [Fix] {
        fixes[index(of: span.begin - margin)..<index(of: (span.end + margin).nextUp)].map(\.fix)
    }

    /// The object's position in the middle of a span: that of the last fix before.
    func place(in span: TimeSpan) -> Coordinate? {
        let next = index(of: (span.begin + span.end) / 2)
        return fixes.isEmpty ? nil : fixes[max(0, next - 1)].fix.coordinate
    }

    /// The number of the first fix that is not before a time; times increase.
    private func index(of time: Double) -> Int {
        var range = fixes.startIndex..<fixes.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let isBefore = fixes[middle].fix.time.unixSeconds < time
            range = isBefore ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
