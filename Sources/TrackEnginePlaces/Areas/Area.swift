public import TrackEngine

/// A part of the Earth's surface: a circle, polygons, or a corridor along a line.
///
/// It may extend over the antimeridian or around a pole. The edge between two vertices is the shortest way, not the
/// straight line on a map in degrees as in RFC 7946. Along a parallel at 50° the shortest way lies 2 cm further
/// north on 1 km, 2.3 m on 10 km and 230 m on 100 km; if that matters, add more vertices.
///
/// Polygons may cross themselves and each other: a point is inside if a line to it from outside crosses an odd
/// number of edges, as in drawing programs. Such rings are not rejected, because all functions here are defined for
/// them.
public struct Area: Sendable, Hashable {
    /// A ring with its holes.
    public struct Polygon: Sendable, Hashable {
        /// The outer ring, at least 3 vertices; the last need not repeat the first. Its direction is irrelevant.
        public var outer: [Coordinate]
        /// Rings within the outer one that do not belong to the area.
        public var holes: [[Coordinate]]

        /// Creates a polygon; ``Area`` validates it.
        public init(outer: [Coordinate], holes: [[Coordinate]] = []) {
            self.outer = outer
            self.holes = holes
        }
    }

    /// The shape of an area.
    public enum Shape: Sendable, Hashable {
        /// All points within a distance of a position, in metres, from 1 m to 1000 km.
        case circle(centre: Coordinate, radius: Double)
        /// One or more polygons.
        case polygons([Polygon])
        /// All points within half of the width of a line. The width is in metres, 1 m to 100 km. The line's ends are
        /// round.
        case corridor(along: [Coordinate], width: Double)
    }

    /// The largest number of vertices of an area.
    public static let maximumVertices = 10_000
    /// The largest distance of an area's points from its centre, in metres: 1000 km.
    public static let maximumRadius = 1_000_000.0
    static let widths = 1...100_000.0

    enum Geometry: Sendable {
        case circle
        case polygons(AreaPoints)
        case corridor(AreaPoints, halfWidth: Double)
    }

    let geometry: Geometry
    /// The middle of a circle and of a line; for polygons, a point within them, in their middle if that is inside.
    public let centre: Coordinate
    /// The largest distance of the area's points from its ``centre``, in metres.
    public let radius: Double
    let centreVector: EarthVector

    /// Creates an area.
    ///
    /// - Throws: All problems of the shape, without positions.
    public init(_ shape: Shape) throws(ConfigurationError) {
        try Self.check(shape)
        switch shape {
        case .circle(let centre, let radius):
            self.centre = centre
            self.radius = radius
            centreVector = EarthVector(centre)
            geometry = .circle
        case .polygons(let polygons):
            let rings = polygons.flatMap { [$0.outer] + $0.holes }.map(Self.opened)
            let isOuter = polygons.flatMap { [true] + $0.holes.map { _ in false } }
            let vertices = AreaPoints(rings: rings, isOuter: isOuter)
            let inner = vertices.innerPoint
            geometry = .polygons(vertices)
            centreVector = inner
            centre = inner.coordinate
            radius = Self.reach(of: vertices, from: inner)
        case .corridor(let line, let width):
            let vertices = AreaPoints(rings: [line], isOuter: [true], isLine: true)
            let middle = vertices.middleOfLine
            geometry = .corridor(vertices, halfWidth: width / 2)
            centreVector = middle
            centre = middle.coordinate
            radius = Self.reach(of: vertices, from: middle) + width / 2
        }
        guard radius <= Self.maximumRadius else {
            throw ConfigurationError("area", "reaches \(Int(radius / 1000)) km from its centre", "at most 1000 km")
        }
    }

    /// A circle.
    public static func circle(centre: Coordinate, radius: Double) throws(ConfigurationError) -> Area {
        try Area(.circle(centre: centre, radius: radius))
    }

    /// A polygon.
    public static func polygon(_ outer: [Coordinate], holes: [[Coordinate]] = []) throws(ConfigurationError) -> Area {
        try Area(.polygons([Polygon(outer: outer, holes: holes)]))
    }

    /// A corridor with a total width, in metres.
    public static func corridor(along line: [Coordinate], width: Double) throws(ConfigurationError) -> Area {
        try Area(.corridor(along: line, width: width))
    }

    /// The shape of the area, to 10⁻¹³°. Outer rings run counterclockwise and holes clockwise, and no ring is
    /// closed.
    public var shape: Shape {
        switch geometry {
        case .circle: return .circle(centre: centre, radius: radius)
        case .corridor(let vertices, let halfWidth):
            return .corridor(along: vertices.coordinates, width: halfWidth * 2)
        case .polygons(let vertices):
            var polygons: [Polygon] = []
            for (number, ring) in vertices.coordinatesByRing.enumerated() {
                if vertices.isOuter(ring: number) {
                    polygons.append(Polygon(outer: ring))
                } else {
                    polygons[polygons.count - 1].holes.append(ring)
                }
            }
            return .polygons(polygons)
        }
    }

    /// Whether both areas are of the same kind and have the same numbers.
    public static func == (left: Area, right: Area) -> Bool {
        switch (left.geometry, right.geometry) {
        case (.circle, .circle): left.centre == right.centre && left.radius == right.radius
        case (.polygons(let a), .polygons(let b)): a.equals(b)
        case (.corridor(let a, let width), .corridor(let b, let otherWidth)):
            width == otherWidth && a.equals(b)
        case (.circle, _), (.polygons, _), (.corridor, _): false
        }
    }

    /// Combines the centre and the radius, which are equal for equal areas.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(centre)
        hasher.combine(radius)
    }

    /// A ring without the repetition of the first vertex at its end.
    private static func opened(_ ring: [Coordinate]) -> [Coordinate] {
        ring.count > 1 && ring.first == ring.last ? ring.dropLast() : ring
    }

    /// The distance to the farthest vertex.
    private static func reach(of vertices: AreaPoints, from centre: EarthVector) -> Double {
        EarthVector.arc(squaredChord: vertices.vectors.reduce(0) { max($0, $1.squaredChord(to: centre)) })
    }
}

extension AreaPoints {
    /// The point halfway along a line.
    fileprivate var middleOfLine: EarthVector {
        let lengths = vectors.indices.dropFirst().map { vectors[$0 - 1].distance(to: vectors[$0]) }
        var rest = lengths.reduce(0, +) / 2
        for (index, length) in lengths.enumerated() {
            if rest <= length, length > 0 {
                return (vectors[index] + (vectors[index + 1] - vectors[index]) * (rest / length)).onSurface
            }
            rest -= length
        }
        return vectors[vectors.count - 1]
    }
}

// MARK: - Checks

extension Area {
    private static func check(_ shape: Shape) throws(ConfigurationError) {
        switch shape {
        case .circle(let centre, let radius):
            var check = ConfigurationCheck()
            if !centre.isValid { check.problem("centre", "no position", "latitude -90 to 90, longitude -180 to 180") }
            check.range("radius", radius, 1...maximumRadius, "metres")
            try check.finish()
        case .polygons(let polygons):
            guard !polygons.isEmpty else { throw ConfigurationError("polygons", "none", "at least one polygon") }
            let rings = polygons.flatMap { [$0.outer] + $0.holes }
            try checkVertices(rings)
            for ring in rings where Set(ring).count < 3 {
                throw ConfigurationError("ring", "\(Set(ring).count) different vertices", "at least 3")
            }
        case .corridor(let line, let width):
            var check = ConfigurationCheck()
            check.range("width", width, widths, "metres")
            try check.finish()
            try checkVertices([line])
            guard line.count >= 2 else { throw ConfigurationError("line", "\(line.count) vertices", "at least 2") }
        }
    }

    private static func checkVertices(_ rings: [[Coordinate]]) throws(ConfigurationError) {
        let count = rings.reduce(0) { $0 + $1.count }
        guard count <= maximumVertices else {
            throw ConfigurationError("vertices", "\(count)", "at most \(maximumVertices)")
        }
        for ring in rings {
            if let index = ring.firstIndex(where: { !$0.isValid }) {
                throw ConfigurationError(
                    "vertex \(index + 1)", "no position", "latitude -90 to 90, longitude -180 to 180")
            }
        }
    }
}
