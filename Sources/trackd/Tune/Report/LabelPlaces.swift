/// Finds heights for labels beside points so that none covers another, as near to their points as may be.
struct LabelPlaces {
    private let height: Double
    private let bounds: ClosedRange<Double>
    private var taken: [(x: ClosedRange<Double>, y: Double)]

    /// No label yet.
    ///
    /// - Parameters:
    ///   - height: of a line of text.
    ///   - bounds: where a label may stand.
    ///   - points: what labels must not cover.
    init(height: Double, within bounds: ClosedRange<Double>, avoiding points: [SVGPoint]) {
        self.height = height
        self.bounds = bounds
        taken = points.map { (($0.x - 5)...($0.x + 5), $0.y + height / 3) }
    }

    /// The height for the next label; the wished one if it is free.
    mutating func place(beside wished: Double, width: Double, x: Double, toTheLeft isLeft: Bool) -> Double {
        let extent = isLeft ? (x - 9 - width)...(x - 6) : (x + 6)...(x + 9 + width)
        let y = candidates(around: wished).first { isFree(extent, $0) } ?? wished
        taken.append((extent, y))
        return y
    }

    /// The wished height, then others, farther and farther away.
    private func candidates(around wished: Double) -> [Double] {
        var heights = [wished]
        for number in 1...12 {
            let shift = Double(number) * height / 2
            heights += [wished + shift, wished - shift]
        }
        return heights.filter(bounds.contains)
    }

    private func isFree(_ extent: ClosedRange<Double>, _ y: Double) -> Bool {
        !taken.contains { $0.x.overlaps(extent) && abs($0.y - y) < height }
    }
}
