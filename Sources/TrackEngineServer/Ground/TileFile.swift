import SQLiteAccess
import TrackEngine
import TrackEngineSettings

/// A map of pictures in a file: MBTiles 1.3, as the tools of Mapbox, GDAL (`gdal_translate -of MBTILES`) and QGIS
/// write it.
package actor TileFile {
    /// The facts in the file about itself.
    struct Description: Sendable, Hashable {
        let name: String
        let attribution: String
        let zooms: ClosedRange<Int>
        /// West, south, east and north in degrees; `nil` where the file has none.
        let bounds: [Double]?
        let mediaType: String
    }

    /// The largest tile that is handed on, in bytes; usual ones have some ten kilobytes. One is held for each slow
    /// reader.
    private static let largestTile: Int32 = 512 << 10
    /// How long a question may take.
    private static let patience = Duration.seconds(1)
    /// The zooms that a tile's number can have.
    private static let zooms = 0...30

    private let executor = DatabaseThread("TrackEngine.map")
    private let db: Database
    nonisolated let facts: Description

    /// The thread on which the file is read.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens a file, and looks whether it is a map of pictures.
    init(path: String) throws(ServerError) {
        func refused(_ expectation: String) -> ServerError {
            ServerError("map", path.quoted(atMost: 200), expectation)
        }
        // Opening a pipe would wait for its writer.
        guard FileStatus.following(path)?.kind == .regular else { throw refused("a file that can be read") }
        let rows: [String: String]
        do {
            // The limit also holds for values that a view computes: a longer value is an error before it takes memory.
            db = try Database(path: path, .reading, patience: 1_000, longest: Self.largestTile)
            // The file is untrusted input: its views may only read tables.
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            rows = try db.within(Self.patience, Self.metadata)
        } catch {
            throw refused("a map in the format MBTiles")
        }
        guard let facts = Description(rows) else { throw refused("a map of pictures: its format png, jpg or webp") }
        self.facts = facts
    }

    /// Throws unless a file is a map of pictures.
    package static func require(at path: String) throws(ServerError) { _ = try TileFile(path: path) }

    private static func metadata(_ db: Database) throws -> [String: String] {
        _ = try DatabaseValue.fetchOne(db, sql: "SELECT zoom_level + tile_column + tile_row FROM tiles LIMIT 1")
        let sql = """
            SELECT CAST(name AS TEXT), CAST(substr(value, 1, 4096) AS TEXT) FROM metadata WHERE length(name) < 64 LIMIT 256
            """
        let facts: [(String, String)] = try db.rows(sql: sql).compactMap { row in
            row.text(0).map { ($0, row.text(1) ?? "") }
        }
        return Dictionary(facts) { first, _ in first }
    }

    /// Returns the picture of a tile in OpenStreetMap's numbers, with rows counted from the north; `nil` where there
    /// is none.
    func tile(zoom: Int, column: Int, row: Int) -> [UInt8]? {
        guard Self.zooms.contains(zoom), case let side = 1 << zoom, (0..<side).contains(column),
            (0..<side).contains(row)
        else { return nil }
        // A view in the file may ask for anything, and a table without an index is read as a whole.
        return try? db.within(Self.patience) { db in  // a damaged tile counts as missing
            try [UInt8].fetchOne(
                db,
                sql: """
                    SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
                    AND length(tile_data) <= ?
                    """, arguments: [zoom, column, side - 1 - row, Self.largestTile])
        }
    }
}

extension TileFile.Description {
    /// Reads the facts of a map's table; `nil` for a map without pictures.
    fileprivate init?(_ table: [String: String]) {
        switch table["format"]?.lowercased() {
        case "png": mediaType = "image/png"
        case "jpg", "jpeg": mediaType = "image/jpeg"
        case "webp": mediaType = "image/webp"
        case _: return nil
        }
        name = table["name"] ?? ""
        attribution = table["attribution"] ?? ""
        let least = min(max(table["minzoom"].flatMap { Int($0) } ?? 0, 0), 30)
        zooms = least...min(max(table["maxzoom"].flatMap { Int($0) } ?? 30, least), 30)
        let numbers = (table["bounds"] ?? "").split(separator: ",").compactMap { text in
            Double(text.filter { $0 != " " }).flatMap { $0.isFinite && abs($0) <= 180 ? $0 : nil }
        }
        bounds = numbers.count == 4 && numbers[0] < numbers[2] && numbers[1] < numbers[3] ? numbers : nil
    }
}
