internal import TrackEngine

/// The findings over the time of the recording, and the labels below them.
struct TripTimeline {
    private static let (left, right) = (58.0, 708.0)
    /// The most bars; more could not be distinguished.
    private static let mostBars = 2000

    let trial: TripTrial
    let rows: [TripRow]

    private var size: SVGSize { SVGSize(width: 720, height: trial.judgement == nil ? 62 : 88) }
    private var scale: Double { (Self.right - Self.left) / max(trial.recording.length, 1) }

    private var origin: Double { trial.recording.fixes.first?.fix.time.unixSeconds ?? 0 }

    private func x(_ time: Double) -> Double {
        min(max(Self.left + (time - origin) * scale, Self.left), Self.right)
    }

    /// Draws the timeline.
    func draw(_ page: inout Markup) {
        page.figure(
            "Over the time, in minutes since the first fix",
            "Stops as bars and trips as lines over the time of the recording; below them the rests of the labels.",
            size: size
        ) { svg in
            drawAxis(&svg)
            svg.label("found", at: SVGPoint(x: Self.left - 6, y: 26), anchor: .end)
            for row in rows.prefix(Self.mostBars) {
                switch row.kind {
                case .stop: bar(row.span, y: 12, style: row.word.isEmpty ? "v-plain" : "v-\(row.word)", &svg)
                case .trip:
                    let path = "M\(x(row.span.begin).svg) 21H\(x(row.span.end).svg)"
                    svg.empty("path", ["d": path, "class": "way"])
                case .missed: break
                }
            }
            guard let judgement = trial.judgement else { return }
            let missed = Set(judgement.matching.missed)
            svg.label("labels", at: SVGPoint(x: Self.left - 6, y: 54), anchor: .end)
            for span in judgement.unsure.prefix(Self.mostBars) { bar(span, y: 40, style: "v-unsure", &svg) }
            for rest in judgement.rests.prefix(Self.mostBars) {
                bar(rest, y: 40, style: missed.contains(rest) ? "v-missed" : "v-found", &svg)
            }
        }
    }

    private func bar(_ span: TimeSpan, y: Double, style: String, _ svg: inout Markup) {
        let (from, to) = (x(span.begin), x(span.end))
        let width = max(to - from, 1.5)
        svg.element("g", ["class": style]) { svg in
            let path = "M\(from.svg) \(y.svg)h\(width.svg)v18h\((-width).svg)z"
            svg.empty("path", ["d": path, "class": "bar"])
        }
    }

    private func drawAxis(_ svg: inout Markup) {
        let (length, bottom) = (trial.recording.length, size.height - 20)
        let step = max(60, ScaleStep.seconds(length, atMost: 10))
        var time = 0.0
        while time <= length {
            let x = x(origin + time)
            svg.empty("path", ["d": "M\(x.svg) 6V\(bottom.svg)", "class": "grid"])
            svg.label((time / 60).short, at: SVGPoint(x: x, y: bottom + 14), anchor: .middle)
            time += step
        }
    }
}
