extension ChunkTree {
    /// Returns the device's track in a range of milliseconds as a screen shows it at a zoom, nowhere more than a
    /// pixel from the points; for more than two days nowhere less exact than a metre either, which is more than a
    /// pixel from zoom 17 on.
    ///
    /// A track that is too large for an answer is drawn as a screen shows it at a smaller zoom.
    ///
    /// - Throws: ``ChunkBudget/SizeError`` when even a drawing of the whole world is too large.
    func drawing(in times: Range<Int64>, zoom: Int) throws -> MapDrawing {
        do {
            var pen = DrawingWriter()
            if !times.isEmpty {
                try prepare(times)
                try visit(.coarsest, in: times) { try draw($0, in: times, on: ScreenGrid(zoom: zoom), with: &pen) }
            }
            return MapDrawing(zoom: zoom, lines: pen.lines)
        } catch is ChunkBudget.SizeError where zoom > 0 {
            return try drawing(in: times, zoom: max(0, zoom - 2))
        }
    }

    private func draw(
        _ key: ChunkKey, in times: Range<Int64>, on grid: ScreenGrid, with pen: inout DrawingWriter
    ) throws {
        try budget.look()
        guard key.times.overlaps(times) else { return }
        let isLong = times.upperBound - times.lowerBound > Self.longestExactSpan
        let isKept = DrawingTable.zooms.contains(grid.zoom)
        if isKept, key.times.clamped(to: times) == key.times {
            for line in try kept(key, on: grid) { try pen.add(line) }
        } else if key.level.number > DrawingTable.finest.number {
            for part in key.parts { try draw(part, in: times, on: grid, with: &pen) }
        } else {
            try drawPath(in: key.times.clamped(to: times), isLong: isLong, on: grid, with: &pen)
        }
    }

    /// Returns the stored drawing of a chunk, which is made when it is missing.
    private func kept(_ key: ChunkKey, on grid: ScreenGrid) throws -> [[MapDrawing.Cell]] {
        let table = tables.drawings(of: device)
        if let lines = try table.lines(of: key, zoom: grid.zoom) { return lines }
        guard try hasPoints(in: key.times) else { return [] }
        var pen = DrawingWriter()
        if key.level == DrawingTable.finest {
            try budget.spendOnDrawing { try drawPath(in: key.times, isLong: true, on: grid, with: &pen) }
        } else {
            for part in key.parts { for line in try kept(part, on: grid) { try pen.add(line) } }
        }
        if keeps { try table.store(pen.lines, of: key, zoom: grid.zoom) }
        return pen.lines
    }

    private func drawPath(
        in times: Range<Int64>, isLong: Bool, on grid: ScreenGrid, with pen: inout DrawingWriter
    ) throws {
        guard let box = try sum(in: times)?.box else { return }
        let halfPixel = grid.halfPixel(in: box)
        for line in try path(in: times, tolerance: isLong ? max(1, halfPixel) : halfPixel).lines {
            try budget.look()
            try pen.add(grid.cells(line))
        }
    }

    /// Two days in milliseconds: for longer ranges, not every point is read.
    private static let longestExactSpan: Int64 = 2 * 86_400_000
}
