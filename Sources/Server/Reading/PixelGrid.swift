import TrackEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Draws lines on the screen's grid, each edge once: years of the same way to work are one line.
///
/// The grid is that of Web Mercator with cells of half a pixel, of which the world is 256 pixels wide at zoom 0 and twice as
/// many at each further one (OpenStreetMap's "slippy map" names). A corner moves by up to 0.36 pixels to its cell, so what was
/// within half a pixel of the truth is within one.
struct PixelGrid {
    /// A place on the grid: to the east of the antimeridian, and to the south of 85.0511° N.
    struct Cell: Hashable {
        var x: Int32
        var y: Int32
    }

    /// Zooms of which a cell's number fits.
    static let zooms = 0.0...20.0

    /// The lines, without edges that an earlier one has.
    private(set) var lines: [[Cell]] = []
    private var edges: Set<Edge> = []
    private let width: Double

    /// A grid of a zoom, which is taken for the next whole one.
    init(zoom: Double) { width = 512 * exp2(zoom.rounded(.up)) }

    /// Adds a line. Where it goes over known edges it is interrupted; a line that stays in one cell is a dot there.
    mutating func add(_ line: some Sequence<Coordinate>) {
        var cells = line.lazy.map(cell).makeIterator()
        guard var last = cells.next() else { return }
        var drawn = [last]
        var hasMoved = false
        while let next = cells.next() {
            guard next != last else { continue }
            hasMoved = true
            if edges.insert(Edge(last, next)).inserted {
                drawn.append(next)
            } else {
                finish(drawn)
                drawn = [next]
            }
            last = next
        }
        if hasMoved { finish(drawn) } else if edges.insert(Edge(last, last)).inserted { lines.append([last, last]) }
    }

    private mutating func finish(_ drawn: [Cell]) { if drawn.count > 1 { lines.append(drawn) } }

    /// The cell of a place; places near a pole, which the projection has not, lie on its edge.
    func cell(_ place: Coordinate) -> Cell {
        let sine = min(max(sin(place.latitude * .pi / 180), -0.9999), 0.9999)
        let x = (place.longitude + 180) / 360
        let y = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
        return Cell(x: Self.number(x * width), y: Self.number(y * width))
    }

    private static func number(_ value: Double) -> Int32 { Int32(exactly: value.rounded()) ?? 0 }

    /// Two neighbours of a line, in either order.
    private struct Edge: Hashable {
        let first: Cell
        let second: Cell

        init(_ one: Cell, _ other: Cell) {
            let isOrdered = (one.x, one.y) <= (other.x, other.y)
            (first, second) = isOrdered ? (one, other) : (other, one)
        }
    }
}
