public import TrackEngine

extension Area {
    /// The distance from a position to the area's boundary, in metres; negative inside.
    ///
    /// Within 0.01 % + 1 cm up to 100 km, within 0.05 % up to 1000 km, within 0.5 % beyond. The function does not
    /// allocate memory, and its time is proportional to the number of vertices.
    public func distance(from coordinate: Coordinate) -> Double { distance(from: EarthVector(coordinate)) }

    /// Whether a position lies in the area, including its boundary.
    public func contains(_ coordinate: Coordinate) -> Bool { distance(from: coordinate) <= 0 }

    func distance(from point: EarthVector) -> Double {
        switch geometry {
        case .circle: return distanceToCentre(from: point) - radius
        case .corridor(let vertices, let halfWidth): return vertices.distanceToLine(from: point) - halfWidth
        case .polygons(let vertices):
            let distance = vertices.distanceToRings(from: point)
            return isNear(point) && vertices.contains(point) ? -distance : distance
        }
    }

    func distanceToCentre(from point: EarthVector) -> Double { centreVector.distance(to: point) }

    /// Whether a point lies in the circle around the area, or hardly beyond it.
    private func isNear(_ point: EarthVector) -> Bool {
        let reach = radius * 1.01
        return centreVector.squaredChord(to: point) <= reach * reach
    }

    /// The corners of a box, parallel to the axes, that contains the area.
    ///
    /// The Earth's surface between vertices protrudes from the box of the vertices by no more than the height of a
    /// cap as large as the area, r² / 2R.
    var box: (least: EarthVector, most: EarthVector) {
        switch geometry {
        case .circle: return Self.box(around: [centreVector], margin: radius)
        case .polygons(let vertices):
            return Self.box(around: vertices.vectors, margin: Self.bulge(of: radius) + 1)
        case .corridor(let vertices, let halfWidth):
            let vectors = vertices.vectors
            let longest = vectors.indices.dropFirst().reduce(0) {
                max($0, vectors[$1 - 1].squaredChord(to: vectors[$1]))
            }
            return Self.box(around: vectors, margin: halfWidth + Self.bulge(of: longest.squareRoot() / 2) + 1)
        }
    }

    private static func bulge(of radius: Double) -> Double { 1.05 * radius * radius / (2 * Ellipsoid.meanRadius) }

    private static func box(
        around points: [EarthVector], margin: Double
    ) -> (least: EarthVector, most: EarthVector) {
        var (least, most) = (points[0], points[0])
        for point in points {
            least = EarthVector(x: min(least.x, point.x), y: min(least.y, point.y), z: min(least.z, point.z))
            most = EarthVector(x: max(most.x, point.x), y: max(most.y, point.y), z: max(most.z, point.z))
        }
        let edge = EarthVector(x: margin, y: margin, z: margin)
        return (least - edge, most + edge)
    }
}
