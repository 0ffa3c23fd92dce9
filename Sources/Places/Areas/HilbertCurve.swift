import TrackEngine

/// A curve that passes all cells of the map of the world, from each to one of its neighbours (D. Hilbert, 1891), so that
/// what is near on the curve is near on the map.
enum HilbertCurve {
    private static let order = 20

    /// How far along the curve the cell of a position lies; cells are 1 048 576 × 1 048 576.
    static func position(of coordinate: Coordinate) -> UInt64 {
        let side = Double(1 << order)
        var x = Int(max(0, min(side - 1, (coordinate.longitude + 180) / 360 * side)))
        var y = Int(max(0, min(side - 1, (coordinate.latitude + 90) / 180 * side)))
        var position: UInt64 = 0
        for level in stride(from: order - 1, through: 0, by: -1) {
            let quarter = 1 << level
            let (right, upper) = (x & quarter != 0, y & quarter != 0)
            position = position << 2 | (right ? (upper ? 2 : 3) : (upper ? 1 : 0))
            // The lower quarters are passed in turned direction.
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
