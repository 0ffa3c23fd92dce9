internal import TrackEngine
internal import TrackEngineFiles

/// The `d` attribute of a path: lines and dots, with no more points than a picture needs.
package enum PathText {
    /// The initial distance below which points count as one.
    private static let nearness = 0.4

    /// Lines through points, each piece on its own, with at most about `limit` points for any number of points.
    ///
    /// Points within 0.4 units of the last drawn one are left out, without a visible difference. If too many remain,
    /// the distance is increased by half, and so on.
    package static func lines(_ pieces: [[SVGPoint]], limit: Int = 3000) -> String {
        var pieces = pieces
        var nearness = nearness
        repeat {
            pieces = pieces.map { thinned($0, to: nearness) }
            nearness *= 1.5
        } while pieces.reduce(0, { $0 + $1.count }) > limit && nearness < 1e6
        var bytes: [UInt8] = []
        for piece in pieces {
            for (number, point) in piece.enumerated() {
                bytes.append(number == 0 ? UInt8(ascii: "M") : UInt8(ascii: "L"))
                bytes.append(point)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Dots: lines without length, which a round cap makes visible. There is at most one in each square of a unit,
    /// and at most `limit`, evenly chosen, if there are still more.
    package static func dots(_ points: [SVGPoint], limit: Int = 3000) -> String {
        var taken: Set<SVGPoint> = []
        let visible = points.filter { taken.insert(SVGPoint(x: $0.x.rounded(), y: $0.y.rounded())).inserted }
        let step = max(1, (visible.count + limit - 1) / limit)
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: visible.count, by: step) {
            bytes.append(UInt8(ascii: "M"))
            bytes.append(visible[index])
            bytes.append("h0")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The points without those near the last kept one; the ends stay.
    private static func thinned(_ points: [SVGPoint], to nearness: Double) -> [SVGPoint] {
        guard let first = points.first, let end = points.last, points.count > 2 else { return points }
        var kept = [first]
        var last = first
        for point in points.dropFirst().dropLast() where point.distance(to: last) >= nearness {
            kept.append(point)
            last = point
        }
        return kept + [end]
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ point: SVGPoint) {
        appendFixed(point.x, decimals: 1)
        append(UInt8(ascii: " "))
        appendFixed(point.y, decimals: 1)
    }
}
