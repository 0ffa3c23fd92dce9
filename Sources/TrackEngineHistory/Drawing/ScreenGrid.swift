import Glibc
import TrackEngine

/// The screen's grid at a zoom: the position of a place on it, and the allowed deviation of a line.
///
/// A corner moves by up to 0.36 pixels to its cell of half a pixel, so a line within half a pixel of the truth stays
/// within one.
struct ScreenGrid: Sendable, Hashable {
    let zoom: Int
    /// The width of the world in cells.
    private let width: Double

    init(zoom: Int) {
        self.zoom = zoom
        width = 512 * exp2(Double(zoom))
    }

    /// The most pieces that the legs of a line are drawn in.
    private static let mostPieces = 65_536

    /// The length of the equator of WGS 84, in metres.
    private static let equator = 2 * Double.pi * 6_378_137

    /// The metres over ground that half a pixel shows at the edge of a box that is farther from the equator. The map
    /// ends at 85.0511°; any place beyond it is on the map's edge.
    func halfPixel(in box: GridBox) -> Double {
        let farthest = max(abs(box.latitudes.lowerBound), abs(box.latitudes.upperBound))
        return Self.equator * cos(min(Double(farthest) / 1e7, 85.0511) * .pi / 180) / width
    }

    /// Returns the cells of a line.
    ///
    /// A leg is even in latitude and longitude, and a long leg is curved on this map: it is drawn in pieces that are
    /// straight to a tenth of a pixel. A line to and fro over half the Earth would need more pieces than can be
    /// drawn; its legs share the pieces that are available.
    func cells(_ line: [DrawingPoint]) -> [MapDrawing.Cell] {
        guard let first = line.first else { return [] }
        let wanted = zip(line, line.dropFirst()).reduce(0) { $0 + pieces($1.0.place, $1.1.place) }
        let share = min(1, Double(Self.mostPieces) / Double(max(wanted, 1)))
        var cells = [cell(first.place)]
        for (from, to) in zip(line, line.dropFirst()) {
            let pieces = Int(Double(pieces(from.place, to.place)) * share)
            for piece in 1..<max(pieces, 1) {
                cells.append(cell(from.place.moved(to: to.place, Double(piece) / Double(pieces))))
            }
            cells.append(cell(to.place))
        }
        return cells
    }

    /// A leg over h radians of latitude deviates from its chord by at most h²/8 times the largest second derivative
    /// of the projection, which is tan φ / cos φ.
    private func pieces(_ from: GridPosition, _ to: GridPosition) -> Int {
        let radians = Double.pi / 180 / 1e7
        let span = abs(Double(from.latitude) - Double(to.latitude)) * radians
        let farthest = min(Double(max(abs(from.latitude), abs(to.latitude))) * radians, 85.0511 * .pi / 180)
        let pixels = span * span / 8 * tan(farthest) / cos(farthest) * width / 2 / (2 * .pi)
        return Int(min((pixels / 0.1).squareRoot().rounded(.up), 4_096))
    }

    func cell(_ place: GridPosition) -> MapDrawing.Cell {
        let latitude = min(max(Double(place.latitude) / 1e7, -85.0511), 85.0511)
        let sine = sin(latitude * .pi / 180)
        let x = (Double(place.longitude) / 1e7 + 180) / 360
        let y = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
        return MapDrawing.Cell(x: Self.number(x * width), y: Self.number(y * width))
    }

    private static func number(_ value: Double) -> Int32 { Int32(exactly: value.rounded()) ?? 0 }
}
