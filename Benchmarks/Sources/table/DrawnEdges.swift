import Foundation
import TrackEngine
import TrackEngineHistory

/// The edges of a drawing, to see how far from it a place lies.
struct DrawnEdges {
    /// A square of four pixels.
    private struct Square: Hashable {
        let x: Int
        let y: Int
    }

    private typealias Edge = (from: SIMD2<Double>, to: SIMD2<Double>)

    private static let cellsOfSquare = 8.0
    /// Half pixels that the world is wide.
    private let width: Double
    /// Those that a pixel's distance reaches.
    private var edges: [Square: [Edge]] = [:]

    init(_ drawing: MapDrawing) {
        width = 512 * exp2(Double(drawing.zoom))
        for line in drawing.lines {
            for (from, to) in zip(line, line.dropFirst()) {
                let edge = (from: SIMD2(Double(from.x), Double(from.y)), to: SIMD2(Double(to.x), Double(to.y)))
                let (least, most) = (pointwiseMin(edge.from, edge.to) - 2, pointwiseMax(edge.from, edge.to) + 2)
                let (first, last) = (Self.square(of: least), Self.square(of: most))
                for x in first.x...last.x {
                    for y in first.y...last.y { edges[Square(x: x, y: y), default: []].append(edge) }
                }
            }
        }
    }

    private static func square(of place: SIMD2<Double>) -> Square {
        Square(x: Int((place.x / cellsOfSquare).rounded(.down)), y: Int((place.y / cellsOfSquare).rounded(.down)))
    }

    /// Pixels from a place to the nearest edge; infinite where none is within one.
    func distance(to coordinate: Coordinate) -> Double {
        let sine = sin(coordinate.latitude * .pi / 180)
        let place =
            SIMD2((coordinate.longitude + 180) / 360, 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)) * width
        var least = Double.infinity
        for edge in edges[Self.square(of: place)] ?? [] {
            let (along, away) = (edge.to - edge.from, place - edge.from)
            let length = (along * along).sum()
            let part = length == 0 ? 0 : min(max((along * away).sum() / length, 0), 1)
            let rest = away - along * part
            least = min(least, (rest * rest).sum())
        }
        return least.squareRoot() / 2
    }
}
