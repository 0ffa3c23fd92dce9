/// Finds places for labels beside points so that none covers another or a point, as near to their points as may be.
package struct LabelPlaces {
    /// Where a label goes.
    package struct Place: Hashable {
        /// Whether it stands to the left of its point, and ends there.
        package var isLeft: Bool
        /// Where its text stands; its letters reach up from there.
        package var y: Double
    }

    /// How far from its point a label begins.
    package static let gap = 9.0

    private let height: Double
    private let frame: (x: ClosedRange<Double>, y: ClosedRange<Double>)
    private var taken: [(x: ClosedRange<Double>, y: Double)]

    /// No label yet.
    ///
    /// - Parameters:
    ///   - height: of a line of text.
    ///   - frame: where labels may stand.
    ///   - points: what labels must not cover.
    package init(
        height: Double, within frame: (x: ClosedRange<Double>, y: ClosedRange<Double>), avoiding points: [SVGPoint]
    ) {
        self.height = height
        self.frame = frame
        taken = points.map { (($0.x - 5)...($0.x + 5), $0.y + height / 3) }
    }

    /// The place for the next label, of a width, beside a point.
    package mutating func place(beside point: SVGPoint, width: Double) -> Place {
        let free = candidates(beside: point).first { place in
            let extent = extent(of: place, beside: point, width: width)
            return frame.y.contains(place.y) && frame.x.contains(extent.lowerBound)
                && frame.x.contains(extent.upperBound) && isFree(extent, place.y)
        }
        let place = free ?? Place(isLeft: false, y: point.y + height / 3)
        taken.append((extent(of: place, beside: point, width: width), place.y))
        return place
    }

    /// To the right at the point's own height, to the left, then higher and lower, farther and farther away.
    private func candidates(beside point: SVGPoint) -> [Place] {
        var shifts = [0.0]
        for number in 1...16 {
            let shift = Double(number) * height / 4
            shifts += [-shift, shift]
        }
        return shifts.flatMap { shift in
            [false, true].map { Place(isLeft: $0, y: point.y + height / 3 + shift) }
        }
    }

    private func extent(of place: Place, beside point: SVGPoint, width: Double) -> ClosedRange<Double> {
        place.isLeft
            ? (point.x - Self.gap - width)...(point.x - Self.gap) : (point.x + Self.gap)...(point.x + Self.gap + width)
    }

    private func isFree(_ extent: ClosedRange<Double>, _ y: Double) -> Bool {
        !taken.contains { $0.x.overlaps(extent) && abs($0.y - y) < height }
    }
}
