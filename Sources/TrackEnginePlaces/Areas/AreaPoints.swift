import TrackEngine

/// The vertices of an area's rings or line.
///
/// It is an immutable class, so that copying an area with its place does not copy the vertices. It stores only the
/// values for computation, because there may be hundreds of thousands: degrees are computed again on demand.
final class AreaPoints: Sendable {
    /// A ring after the first one.
    struct Ring: Sendable, Hashable, BitwiseCopyable {
        /// The index after the ring's last vertex.
        let end: Int
        /// Whether it is an outer ring; each hole follows the ring that contains it.
        let isOuter: Bool
    }

    /// The vertices in space, ring by ring; rings are not closed.
    let vectors: [EarthVector]
    /// The index after the last vertex of the first ring, which is an outer one, or of the line.
    let firstEnd: Int
    let moreRings: [Ring]

    /// Creates a list from the rings of polygons, or from one line, which is left unchanged. Outer rings are turned
    /// counterclockwise and holes clockwise, as RFC 7946 section 3.1.6 and ``share(ofDiscAt:radius:)`` require.
    init(rings: [[Coordinate]], isOuter: [Bool], isLine: Bool = false) {
        let turned = zip(rings, isOuter).map { ring, isOuter in
            isLine || (Self.area(of: ring) > 0) == isOuter ? ring : ring.reversed()
        }
        var vectors: [EarthVector] = []
        vectors.reserveCapacity(turned.reduce(0) { $0 + $1.count })
        var more: [Ring] = []
        for (ring, isOuter) in zip(turned, isOuter) {
            vectors.append(contentsOf: ring.map(EarthVector.init))
            more.append(Ring(end: vectors.count, isOuter: isOuter))
        }
        self.vectors = vectors
        firstEnd = turned.first?.count ?? 0
        moreRings = Array(more.dropFirst())
    }

    /// The number of rings.
    var ringCount: Int { 1 + moreRings.count }

    /// The index after a ring's last vertex.
    func end(ofRing ring: Int) -> Int { ring == 0 ? firstEnd : moreRings[ring - 1].end }

    /// Whether a ring is an outer one.
    func isOuter(ring: Int) -> Bool { ring == 0 || moreRings[ring - 1].isOuter }

    /// The vertices in degrees, to 10⁻¹³°.
    var coordinates: [Coordinate] { vectors.map(\.coordinate) }

    /// Whether both lists have the same vertices in the same rings.
    func equals(_ other: AreaPoints) -> Bool {
        self === other || firstEnd == other.firstEnd && moreRings == other.moreRings && vectors == other.vectors
    }

    /// The area within a ring on the map around its middle, in an arbitrary unit; positive if the ring runs
    /// counterclockwise.
    private static func area(of ring: [Coordinate]) -> Double {
        let vectors = ring.map(EarthVector.init)
        let plane = TangentPlane(at: middle(of: vectors))
        let places = vectors.map(plane.place)
        return places.indices.reduce(0) { $0 + places[$1].cross(places[$1 + 1 < places.count ? $1 + 1 : 0]) }
    }

    /// The middle of points.
    static func middle(of vectors: [EarthVector]) -> EarthVector {
        let sum = vectors.reduce(EarthVector(x: 0, y: 0, z: 0), +)
        return (sum * (1 / Double(max(vectors.count, 1)))).onSurface
    }

    /// The rings as given, except for their direction.
    var coordinatesByRing: [[Coordinate]] {
        (0..<ringCount).map { ring in
            vectors[(ring == 0 ? 0 : end(ofRing: ring - 1))..<end(ofRing: ring)].map(\.coordinate)
        }
    }
}

// MARK: - Distance

extension AreaPoints {
    /// The distance to the nearest point of the rings' edges, in metres.
    func distanceToRings(from point: EarthVector) -> Double {
        var best = Double.infinity
        var (ring, index) = (0, 0)
        while ring < ringCount {
            let end = end(ofRing: ring)
            var previous = vectors[end - 1]
            while index < end {
                let vertex = vectors[index]
                best = min(best, Self.squaredChord(from: point, toEdge: previous, vertex, below: best))
                previous = vertex
                index += 1
            }
            ring += 1
        }
        return EarthVector.arc(squaredChord: best)
    }

    /// The distance to the nearest point of the line, in metres.
    func distanceToLine(from point: EarthVector) -> Double {
        var previous = vectors[0]
        var best = previous.squaredChord(to: point)
        var index = 1
        while index < vectors.count {
            let vertex = vectors[index]
            best = min(best, Self.squaredChord(from: point, toEdge: previous, vertex, below: best))
            previous = vertex
            index += 1
        }
        return EarthVector.arc(squaredChord: best)
    }

    /// The square of the straight line to the nearest point of an edge, or a lower bound of it that is not below
    /// `bound`.
    ///
    /// An edge lies in the plane through both ends and the Earth's centre, which has the normal n = a × (b - a); the
    /// difference instead of b keeps an edge of a metre exact. If the point lies between the planes perpendicular to
    /// the edge at both ends, its distance is the height h over the edge's plane, curved to the Earth:
    /// c² = 2h² / (1 + √(1 - (h/R)²)).
    private static func squaredChord(
        from point: EarthVector, toEdge a: EarthVector, _ b: EarthVector, below bound: Double
    ) -> Double {
        let fromA = point - a
        let normal = a.cross(b - a)
        let squaredNormal = normal.squaredLength
        if squaredNormal > 0, normal.dot(a.cross(fromA)) > 0, normal.dot(b.cross(point - b)) < 0 {
            let height = fromA.dot(normal)
            let squaredHeight = height * height / squaredNormal
            guard squaredHeight < bound else { return squaredHeight }
            let share = squaredHeight / (Ellipsoid.meanRadius * Ellipsoid.meanRadius)
            return 2 * squaredHeight / (1 + max(0, 1 - share).squareRoot())
        }
        return min(fromA.squaredLength, b.squaredChord(to: point))
    }
}

// MARK: - Inside

extension AreaPoints {
    /// Whether a point lies within the rings by the even-odd rule: a line from the point crosses them an odd number
    /// of times.
    ///
    /// The line is half of the point's meridian, to its antipode, which lies outside of any area up to the size of
    /// half the Earth. An edge crosses the line if its ends lie on both sides of the meridian's plane, and the point
    /// between them in that plane lies to the north.
    func contains(_ point: EarthVector) -> Bool {
        let plane = TangentPlane(at: point)
        var isInside = false
        var (ring, index) = (0, 0)
        while ring < ringCount {
            let end = end(ofRing: ring)
            var previous = plane.direction(of: vectors[end - 1])
            while index < end {
                let vertex = plane.direction(of: vectors[index])
                if (previous.east >= 0) != (vertex.east >= 0),
                    previous.north * abs(vertex.east) + vertex.north * abs(previous.east) > 0
                {
                    isInside.toggle()
                }
                previous = vertex
                index += 1
            }
            ring += 1
        }
        return isInside
    }

    /// A point within the rings, near their middle.
    ///
    /// The middle itself if it is inside. Otherwise the middle of the longest inner stretch of one of fifteen lines
    /// from west to east.
    var innerPoint: EarthVector {
        let middle = Self.middle(of: vectors)
        if contains(middle) { return middle }
        let plane = TangentPlane(at: middle)
        let places = vectors.map(plane.place)
        let (south, north) = (places.map(\.north).min() ?? 0, places.map(\.north).max() ?? 0)
        var best = (length: 0.0, place: places[0])
        for row in 1...15 {
            let y = south + (north - south) * Double(row) / 16
            let crossings = crossings(of: places, at: y)
            for start in stride(from: 0, to: crossings.count - 1, by: 2) {
                let length = crossings[start + 1] - crossings[start]
                if length > best.length {
                    best = (length, LocalPosition(east: (crossings[start] + crossings[start + 1]) / 2, north: y))
                }
            }
        }
        return plane.point(at: best.place)
    }

    /// The points at which a line from west to east crosses the rings, in order.
    private func crossings(of places: [LocalPosition], at y: Double) -> [Double] {
        var crossings: [Double] = []
        var start = 0
        for ring in 0..<ringCount {
            let end = end(ofRing: ring)
            for index in start..<end {
                let (a, b) = (places[index], places[index + 1 < end ? index + 1 : start])
                if (a.north >= y) != (b.north >= y) {
                    crossings.append(a.east + (b.east - a.east) * (y - a.north) / (b.north - a.north))
                }
            }
            start = end
        }
        return crossings.sorted()
    }
}
