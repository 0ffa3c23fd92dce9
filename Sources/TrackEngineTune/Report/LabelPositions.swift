/// Finds positions for labels next to points, as close as possible, without covering other labels or points.
package struct LabelPositions {
    /// The position of a label.
    package struct Place: Hashable {
        /// Whether the label is to the left of its point, with its end there.
        package var isLeft: Bool
        /// The baseline of its text.
        package var y: Double
    }

    /// The distance from a point to its label.
    package static let gap = 9.0

    private let height: Double
    private let frame: (x: ClosedRange<Double>, y: ClosedRange<Double>)
    private var taken: [(x: ClosedRange<Double>, y: Double)]

    /// Positions without a label yet.
    ///
    /// - Parameters:
    ///   - height: the height of a line of text.
    ///   - frame: the area for labels.
    ///   - points: the points that labels must not cover.
    package init(
        height: Double, within frame: (x: ClosedRange<Double>, y: ClosedRange<Double>), avoiding points: [SVGPoint]
    ) {
        self.height = height
        self.frame = frame
        taken = points.map { (($0.x - 5)...($0.x + 5), $0.y + height / 3) }
    }

    /// The position of the next label, with the given width, next to a point.
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

    /// To the right at the point's own height, to the left, then higher and lower at increasing distances.
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
