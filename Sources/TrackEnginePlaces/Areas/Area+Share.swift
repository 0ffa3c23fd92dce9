import Glibc
public import TrackEngine

extension Area {
    /// The share of a disc around a point that lies in the area, 0 to 1.
    ///
    /// - A circle: the lens of both discs, exactly in the plane.
    /// - Polygons: the part of the disc within the rings, exactly in the plane. For rings that cross themselves,
    ///   regions of opposite direction are subtracted.
    /// - A corridor: the strip between two parallel lines; the line counts as straight within the disc.
    ///
    /// For a circle of 100 m (d: from its centre, a: radius of the disc):
    ///
    /// | d    | a   | share |
    /// |------|-----|-------|
    /// | 0    | 100 | 1     |
    /// | 100  | 100 | 0.391 |
    /// | 90   | 20  | 0.790 |
    /// | 100  | 20  | 0.479 |
    /// | 110  | 20  | 0.183 |
    /// | 0    | 141 | 0.503 |
    /// | 0    | 200 | 0.25  |
    ///
    /// - Parameters:
    ///   - coordinate: The middle of the disc.
    ///   - radius: The radius of the disc, in metres, above 0 and up to 100 km; beyond that, the Earth's curvature
    ///     matters.
    public func share(ofDiscAt coordinate: Coordinate, radius: Double) -> Double {
        share(ofDiscAt: EarthVector(coordinate), radius: radius)
    }

    func share(ofDiscAt point: EarthVector, radius: Double) -> Double {
        switch geometry {
        case .circle:
            AreaShare.lens(of: self.radius, at: distanceToCentre(from: point), radius: radius)
        case .polygons(let vertices): vertices.share(ofDiscAt: point, radius: radius)
        case .corridor(let vertices, let halfWidth):
            AreaShare.strip(
                halfWidth: halfWidth, at: vertices.distanceToLine(from: point), radius: radius)
        }
    }
}

/// The shares of a disc that other shapes cover.
enum AreaShare {
    /// The share of a disc within another one, given the distance between the centres.
    static func lens(of other: Double, at distance: Double, radius: Double) -> Double {
        if distance >= other + radius { return 0 }
        if distance <= abs(other - radius) { return other >= radius ? 1 : other * other / (radius * radius) }
        // The circles intersect in a chord, which cuts a segment off each disc.
        let ours = (distance * distance + radius * radius - other * other) / (2 * distance)
        let theirs = distance - ours
        let area = radius * radius * segment(ours / radius) + other * other * segment(theirs / other)
        return area / (.pi * radius * radius)
    }

    /// The share of a disc within a strip, given the distance between the disc's centre and the strip's middle.
    static func strip(halfWidth: Double, at distance: Double, radius: Double) -> Double {
        (segment((distance - halfWidth) / radius) - segment((distance + halfWidth) / radius)) / .pi
    }

    /// The area of a unit disc beyond a straight line, given the line's distance from the centre, which is negative
    /// if the centre is also beyond the line: acos x - x √(1 - x²).
    private static func segment(_ distance: Double) -> Double {
        if distance >= 1 { return 0 }
        if distance <= -1 { return .pi }
        return acos(distance) - distance * (1 - distance * distance).squareRoot()
    }
}

extension AreaPoints {
    /// The share of a disc within the rings.
    ///
    /// The sum over all edges of the area that the disc shares with the triangle of edge and centre. It counts as
    /// negative if the edge runs clockwise around the centre.
    func share(ofDiscAt point: EarthVector, radius: Double) -> Double {
        let plane = TangentPlane(at: point)
        var area = 0.0
        var (ring, index) = (0, 0)
        while ring < ringCount {
            let end = end(ofRing: ring)
            var previous = plane.place(of: vectors[end - 1])
            while index < end {
                let vertex = plane.place(of: vectors[index])
                area += Self.area(ofTriangleTo: previous, vertex, within: radius)
                previous = vertex
                index += 1
            }
            ring += 1
        }
        return min(1, abs(area) / (.pi * radius * radius))
    }

    /// The area that the disc shares with the triangle of its centre and an edge.
    private static func area(ofTriangleTo a: LocalPosition, _ b: LocalPosition, within radius: Double) -> Double {
        let along = b - a
        let (squared, projected) = (along.dot(along), a.dot(along))
        let discriminant = projected * projected - squared * (a.dot(a) - radius * radius)
        guard squared > 0, discriminant > 0 else { return sector(a, b, radius) }
        let root = discriminant.squareRoot()
        let (enters, leaves) = ((-projected - root) / squared, (-projected + root) / squared)
        guard enters < 1, leaves > 0 else { return sector(a, b, radius) }
        let first = enters > 0 ? a + enters * along : a
        let last = leaves < 1 ? a + leaves * along : b
        return (enters > 0 ? sector(a, first, radius) : 0) + first.cross(last) / 2
            + (leaves < 1 ? sector(last, b, radius) : 0)
    }

    private static func sector(_ a: LocalPosition, _ b: LocalPosition, _ radius: Double) -> Double {
        radius * radius / 2 * atan2(a.cross(b), a.dot(b))
    }
}
