/// The bytes of a drawing's lines: the number of lines, and for each the number of its cells and the distance of each
/// cell from the previous one.
enum DrawingCodec {
    private static let version: UInt64 = 1

    static func encode(_ lines: [[MapDrawing.Cell]]) -> [UInt8] {
        var writer = CompactWriter()
        writer.write(version)
        writer.write(UInt64(lines.count))
        var last = MapDrawing.Cell(x: 0, y: 0)
        for line in lines {
            writer.write(UInt64(line.count))
            for cell in line {
                writer.write(signed: Int64(cell.x) - Int64(last.x))
                writer.write(signed: Int64(cell.y) - Int64(last.y))
                last = cell
            }
        }
        return writer.bytes
    }

    /// Reads lines; `nil` for invalid bytes.
    static func decode(_ bytes: [UInt8]) -> [[MapDrawing.Cell]]? {
        var reader = CompactReader(bytes)
        // A line takes three bytes or more, a cell two.
        guard reader.read() == version, let count = reader.read(), count <= UInt64(reader.left) / 3 else { return nil }
        var lines: [[MapDrawing.Cell]] = []
        lines.reserveCapacity(Int(count))
        var (x, y): (Int64, Int64) = (0, 0)
        for _ in 0..<count {
            guard let count = reader.read(), count <= UInt64(reader.left) / 2 else { return nil }
            var line: [MapDrawing.Cell] = []
            line.reserveCapacity(Int(count))
            for _ in 0..<count {
                guard let east = reader.readSigned(), let south = reader.readSigned() else { return nil }
                (x, y) = (x &+ east, y &+ south)
                guard let column = Int32(exactly: x), let row = Int32(exactly: y) else { return nil }
                line.append(MapDrawing.Cell(x: column, y: row))
            }
            lines.append(line)
        }
        return reader.isAtEnd ? lines : nil
    }
}
