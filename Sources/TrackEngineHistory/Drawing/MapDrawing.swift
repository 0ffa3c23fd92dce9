/// A device's track as a screen shows it at a zoom, each edge once: years of the same commute are one line.
///
/// Places are cells of half a pixel on the map of Web Mercator; the world is 256 pixels wide at zoom 0 and twice as
/// many at each further zoom (OpenStreetMap's "slippy map" names).
public struct MapDrawing: Sendable, Hashable {
    /// A place in half pixels: east of the antimeridian, and south of 85.0511° N.
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

    /// The zooms at which a cell's numbers fit.
    public static let zooms = 0...20

    /// The zoom of the cells.
    public let zoom: Int
    /// The lines, each of two cells at least. A device that stayed in one cell has a line from the cell to itself.
    public let lines: [[Cell]]
}
