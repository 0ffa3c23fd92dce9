internal import TrackEngine
internal import TrackEngineSettings

/// The cost and the accuracy of each rule: records an hour against the largest error, both on logarithmic scales.
struct RuleChart {
    private static let size = SVGSize(width: 400, height: 290)
    private static let (left, right, top, bottom) = (38.0, 386.0, 14.0, 262.0)

    private let outcomes: [RuleOutcome]
    private let horizontal: LogScale
    private let vertical: LogScale

    /// A chart of the results.
    init(_ tuning: Tuning) {
        outcomes = tuning.shown.filter { $0.recordsPerHour > 0 }
        horizontal = LogScale(outcomes.map(\.recordsPerHour), from: Self.left, to: Self.right)
        vertical = LogScale(outcomes.map(\.plottedError), from: Self.bottom, to: Self.top)
    }

    /// Draws the chart; lower is more accurate, farther left is cheaper.
    func draw(_ page: inout Markup) {
        page.figure(
            "Largest error (metres, upward) against records an hour (rightward), both scales logarithmic: "
                + "the nearer to the lower left corner, the better",
            outcomes.map {
                "\($0.rule.label): \($0.recordsPerHour.rounded().short) records an hour, "
                    + "at most \($0.error.largest.fixed(1)) m"
            }.joined(separator: "; "), size: Self.size
        ) { svg in
            drawAxes(&svg)
            drawSeries(&svg)
            drawPoints(&svg)
        }
    }

    private func point(_ outcome: RuleOutcome) -> SVGPoint {
        SVGPoint(x: horizontal.place(outcome.recordsPerHour), y: vertical.place(outcome.plottedError))
    }

    private func drawAxes(_ svg: inout Markup) {
        for value in vertical.ticks {
            let y = vertical.place(value)
            svg.empty("path", ["d": "M\(Self.left.svg) \(y.svg)H\(Self.right.svg)", "class": "grid"])
            svg.label(value.short, at: SVGPoint(x: Self.left - 5, y: y + 4), anchor: .end)
        }
        for value in horizontal.ticks {
            let x = horizontal.place(value)
            svg.empty("path", ["d": "M\(x.svg) \(Self.top.svg)V\(Self.bottom.svg)", "class": "grid"])
            svg.label(value.short, at: SVGPoint(x: x, y: Self.bottom + 16), anchor: .middle)
        }
    }

    /// Draws a line through the rules with a bound: one rule with different settings.
    private func drawSeries(_ svg: inout Markup) {
        let series = outcomes.filter { $0.rule.bound != nil }.map(point).sorted { $0.x < $1.x }
        guard series.count > 1 else { return }
        svg.element("g", ["class": "k-deviation"]) { svg in
            svg.empty("path", ["d": PathText.lines([series]), "class": "series"])
        }
    }

    private func drawPoints(_ svg: inout Markup) {
        var labels = LabelPositions(
            height: 13, within: (x: Self.left...Self.size.width, y: Self.top...Self.bottom),
            avoiding: outcomes.map(point))
        for outcome in outcomes.sorted(by: { point($0).y < point($1).y }) {
            let (point, text) = (point(outcome), outcome.rule.label)
            let place = labels.place(beside: point, width: Double(text.count) * 6)
            svg.element("g", ["class": "k-\(outcome.rule.kind.rawValue)"]) { svg in
                let end = SVGPoint(x: point.x + (place.isLeft ? -LabelPositions.gap : LabelPositions.gap), y: place.y)
                if abs(place.y - 4 - point.y) > 3 {
                    svg.empty(
                        "path", ["d": PathText.lines([[point, SVGPoint(x: end.x, y: end.y - 4)]]), "class": "lead"])
                }
                svg.empty("circle", ["cx": point.x.svg, "cy": point.y.svg, "r": "4.5", "class": "mark"])
                svg.label(text, at: end, anchor: place.isLeft ? .end : .start, of: "name")
            }
        }
    }
}

extension RuleOutcome {
    /// The largest error; an error of 0 is drawn as a decimetre, for which the scale has a place.
    fileprivate var plottedError: Double { max(error.largest, 0.1) }
}
