import TrackEngine

/// A curve that passes through all cells of a world map, from each to one of its neighbours (D. Hilbert, 1891), so
/// that cells near to each other on the curve are also near on the map.
enum HilbertCurve {
    private static let order = 20

    /// The position on the curve of the cell that contains a coordinate; there are 1 048 576 × 1 048 576 cells.
    static func position(of coordinate: Coordinate) -> UInt64 {
        let side = Double(1 << order)
        var x = Int(max(0, min(side - 1, (coordinate.longitude + 180) / 360 * side)))
        var y = Int(max(0, min(side - 1, (coordinate.latitude + 90) / 180 * side)))
        var position: UInt64 = 0
        for level in stride(from: order - 1, through: 0, by: -1) {
            let quarter = 1 << level
            let (right, upper) = (x & quarter != 0, y & quarter != 0)
            position = position << 2 | (right ? (upper ? 2 : 3) : (upper ? 1 : 0))
            // The lower quarters are traversed in rotated direction.
            if !upper {
                if right { (x, y) = (quarter - 1 - x & (quarter - 1), quarter - 1 - y & (quarter - 1)) }
                (x, y) = (y, x)
            }
            x &= quarter - 1
            y &= quarter - 1
        }
        return position
    }
}
