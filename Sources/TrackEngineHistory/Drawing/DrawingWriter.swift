/// Draws lines of cells, each edge once.
struct DrawingWriter {
    /// The most edges of a drawing: a page shows no more, and memory is bounded.
    private static let mostEdges = 400_000

    /// The lines, without edges of earlier lines.
    private(set) var lines: [[MapDrawing.Cell]] = []
    private var edges: Set<Edge> = []

    /// Adds a line. It is interrupted along known edges; a line that stays in one cell is a dot there.
    ///
    /// - Throws: ``ChunkBudget/SizeError`` when the drawing has more edges than allowed.
    mutating func add(_ line: some Sequence<MapDrawing.Cell>) throws(ChunkBudget.SizeError) {
        var cells = line.makeIterator()
        guard var last = cells.next() else { return }
        var drawn = [last]
        var hasMoved = false
        while let next = cells.next() {
            guard next != last else { continue }
            hasMoved = true
            if edges.insert(Edge(last, next)).inserted {
                drawn.append(next)
                guard edges.count <= Self.mostEdges else { throw ChunkBudget.SizeError() }
            } else {
                finish(drawn)
                drawn = [next]
            }
            last = next
        }
        if hasMoved { finish(drawn) } else if edges.insert(Edge(last, last)).inserted { lines.append([last, last]) }
    }

    private mutating func finish(_ drawn: [MapDrawing.Cell]) { if drawn.count > 1 { lines.append(drawn) } }

    /// Two adjacent cells of a line, in either order.
    private struct Edge: Hashable {
        let first: MapDrawing.Cell
        let second: MapDrawing.Cell

        init(_ one: MapDrawing.Cell, _ other: MapDrawing.Cell) {
            let isOrdered = (one.x, one.y) <= (other.x, other.y)
            (first, second) = isOrdered ? (one, other) : (other, one)
        }
    }
}
