internal import TrackEngine
internal import TrackEngineSettings

/// The error over the time of the recording.
struct ErrorChart {
    private static let size = SVGSize.panel
    private static let (left, right, top, bottom) = (38.0, 352.0, 16.0, 214.0)

    private let outcome: RuleOutcome
    /// The error that should not be exceeded, and its name in the chart.
    private let bound: (metres: Double, name: String)?
    private let height: Double

    /// A chart of the result of a rule on a track.
    ///
    /// - Parameter wanted: the error that the user wants, drawn for rules without a bound.
    init(_ outcome: RuleOutcome, wanted: Double?) {
        self.outcome = outcome
        bound = outcome.rule.bound.map { ($0, "promised") } ?? wanted.map { ($0, "wanted") }
        let highest = max(outcome.error.largest, 0.5)
        // The chart shows the wanted error if it fits. The text covers one far above the actual errors.
        let line = bound.map { $0.metres <= 3 * highest ? $0.metres : 0 } ?? 0
        height = 1.08 * max(highest, line)
    }

    /// Draws the chart.
    func draw(_ page: inout Markup) {
        page.figure("Error in metres over recording time", words) { svg in
            drawGrid(&svg)
            svg.empty("path", ["d": area, "class": "area"])
            drawBound(&svg)
        }
    }

    private var words: String {
        let statistics = outcome.error
        let promise = bound.map { " The line at \($0.metres.short) m is the error \($0.name)." } ?? ""
        return "A chart: on average \(statistics.mean.fixed(1)) m, for 95 % of the fixes at most "
            + "\(statistics.percentile95.fixed(1)) m, never more than \(statistics.largest.fixed(1)) m.\(promise)"
    }

    private func x(_ seconds: Double) -> Double {
        Self.left + (Self.right - Self.left) * seconds / max(outcome.profile.seconds, 1)
    }

    private func y(_ metres: Double) -> Double {
        Self.bottom - (Self.bottom - Self.top) * metres / height
    }

    /// A step for each step of the profile, closed along the axis.
    private var area: String {
        let steps = outcome.profile.largest
        let width = (Self.right - Self.left) / Double(steps.count)
        var path = "M\(Self.left.svg) \(Self.bottom.svg)"
        for (number, metres) in steps.enumerated() {
            path += "V\(y(Double(metres)).svg)H\((Self.left + width * Double(number + 1)).svg)"
        }
        return path + "V\(Self.bottom.svg)Z"
    }

    private func drawGrid(_ svg: inout Markup) {
        let step = ScaleStep.smallest(notBelow: height / 5)
        for metres in stride(from: 0, through: height, by: step) {
            svg.empty("path", ["d": "M\(Self.left.svg) \(y(metres).svg)H\(Self.right.svg)", "class": "grid"])
            svg.label(metres.short, at: SVGPoint(x: Self.left - 5, y: y(metres) + 4), anchor: .end)
        }
        let seconds = outcome.profile.seconds
        for second in stride(from: 0, through: seconds, by: ScaleStep.seconds(seconds, atMost: 6)) {
            let isLast = x(second) > Self.right - 16
            let point = SVGPoint(x: min(x(second), Self.right), y: Self.bottom + 16)
            svg.label(Duration.seconds(second).clock, at: point, anchor: isLast ? .end : .middle)
        }
    }

    private func drawBound(_ svg: inout Markup) {
        guard let bound, bound.metres <= height else { return }
        svg.empty("path", ["d": "M\(Self.left.svg) \(y(bound.metres).svg)H\(Self.right.svg)", "class": "bound"])
        let text = "\(bound.metres.short) m \(bound.name)"
        svg.label(text, at: SVGPoint(x: Self.right, y: max(11, y(bound.metres) - 5)), anchor: .end, of: "strong")
    }
}
