/// A device's way as a screen shows it at a zoom, each edge once: years of the same way to work are one line.
///
/// Places are cells of half a pixel on the map of Web Mercator, of which the world is 256 pixels wide at zoom 0 and twice as
/// many at each further one (OpenStreetMap's "slippy map" names).
public struct MapDrawing: Sendable, Hashable {
    /// A place in half pixels: to the east of the antimeridian, and to the south of 85.0511° N.
    public struct Cell: Sendable, Hashable {
        /// To the east.
        public var x: Int32
        /// To the south.
        public var y: Int32

        /// A place in half pixels.
        public init(x: Int32, y: Int32) {
            self.x = x
            self.y = y
        }
    }

    /// Zooms of which a cell's numbers fit.
    public static let zooms = 0...20

    /// The zoom of the cells.
    public let zoom: Int
    /// The lines, each of two cells at least; a device that stayed in one cell is a line from there to there.
    public let lines: [[Cell]]
}
