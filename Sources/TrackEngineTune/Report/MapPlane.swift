internal import Glibc
internal import TrackEngine
internal import TrackEngineSettings

/// A map projection for a drawing: flat, north up, with the same scale in all directions.
///
/// Positions are at `x = (lon - lon₀) · cos lat₀`, `y = lat - lat₀` around the middle (lat₀, lon₀), longitudes on
/// the shorter way around. That is accurate enough for a drawing of up to some hundred kilometres.
struct MapPlane: Sendable {
    /// The length of a degree of latitude on the mean sphere, in metres.
    private static let metresPerDegree = Ellipsoid.meanRadius * .pi / 180

    private let middle: Coordinate
    private let metresPerDegreeEast: Double
    private let size: SVGSize
    /// Units of the drawing per metre.
    let scale: Double

    /// A frame around a position that shows at least `metres` in each direction.
    init(around middle: Coordinate, metres: Double, size: SVGSize = .panel) {
        self.middle = middle
        self.size = size
        metresPerDegreeEast = Self.metresPerDegree * max(0.01, cos(middle.latitude.inRadians))
        scale = min(size.width, size.height) / 2 / max(metres, 1)
    }

    /// A frame that shows a whole track, with a margin.
    init(showing fixes: [Fix], size: SVGSize = .panel, margin: Double = 22) {
        let first = fixes.first?.coordinate ?? Coordinate(latitude: 0, longitude: 0)
        var (south, north, west, east) = (first.latitude, first.latitude, 0.0, 0.0)
        for fix in fixes {
            let eastward = (fix.coordinate.longitude - first.longitude).onShorterWay
            (south, north) = (min(south, fix.coordinate.latitude), max(north, fix.coordinate.latitude))
            (west, east) = (min(west, eastward), max(east, eastward))
        }
        middle = Coordinate(
            latitude: (south + north) / 2, longitude: (first.longitude + (west + east) / 2).onShorterWay)
        metresPerDegreeEast = Self.metresPerDegree * max(0.01, cos(middle.latitude.inRadians))
        let width = max(20, (east - west) * metresPerDegreeEast)
        let height = max(20, (north - south) * Self.metresPerDegree)
        scale = min((size.width - 2 * margin) / width, (size.height - 2 * margin) / height)
        self.size = size
    }

    /// The point of a position in the drawing, within the frame or beyond.
    func point(_ place: Coordinate) -> SVGPoint {
        let east = (place.longitude - middle.longitude).onShorterWay * metresPerDegreeEast
        let north = (place.latitude - middle.latitude) * Self.metresPerDegree
        return SVGPoint(x: size.width / 2 + east * scale, y: size.height / 2 - north * scale)
    }

    /// Draws a bar of a round length in a corner, as a scale.
    func drawScaleBar(_ svg: inout Markup) {
        let metres = ScaleStep.largest(notAbove: size.width / 3 / scale)
        let (left, bottom) = (10.0, size.height - 9)
        let path = "M\(left.svg) \((bottom - 4).svg)v4h\((metres * scale).svg)v-4"
        svg.empty("path", ["d": path, "class": "scale"])
        let text = metres >= 1000 ? "\((metres / 1000).short) km" : "\(metres.short) m"
        svg.label(text, at: SVGPoint(x: left + metres * scale + 5, y: bottom))
    }
}
