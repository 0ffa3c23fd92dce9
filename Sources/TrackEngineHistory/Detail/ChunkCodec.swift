import TrackEngine

/// The bytes of a chunk: numbers as differences from the previous point, in seven bits a byte (LEB128), with signed
/// ones folded so that small ones stay short (zigzag: 0, -1, 1, -2 …).
enum ChunkCodec {
    private static let version: UInt64 = 2
    /// The valid altitudes and speeds, in hundredths (``PointRow``).
    static let numbers: ClosedRange<Int64> = -1_000_000_000_000...1_000_000_000_000

    static func encode(_ chunk: Chunk) -> [UInt8] {
        var writer = CompactWriter()
        writer.write(version)
        writer.write(UInt64(chunk.sum.count))
        writer.write(chunk.sum.distance.bitPattern)
        writer.write(signed: chunk.sum.moving)
        writer.write(optional: chunk.sum.topSpeed)
        write(chunk.sum.climb, &writer)
        for range in [chunk.sum.box.latitudes, chunk.sum.box.longitudes] {
            writer.write(signed: Int64(range.lowerBound))
            writer.write(signed: Int64(range.upperBound))
        }
        var previous: DrawingPoint?
        let points = [chunk.sum.first, chunk.sum.last] + chunk.points
        writer.write(UInt64(points.count))
        for point in points {
            writer.write(signed: point.time - (previous?.time ?? 0))
            writer.write(signed: Int64(point.place.latitude) - Int64(previous?.place.latitude ?? 0))
            writer.write(signed: Int64(point.place.longitude) - Int64(previous?.place.longitude ?? 0))
            writer.write(optional: point.altitude)
            writer.write(optional: point.speed)
            writer.write(UInt64(point.activity.map { $0.rawValue + 1 } ?? 0) << 1 | (point.beginsLine ? 1 : 0))
            previous = point
        }
        return writer.bytes
    }

    /// Reads a chunk; `nil` for bytes that are no chunk of this key.
    static func decode(_ bytes: [UInt8], at key: ChunkKey) -> Chunk? {
        var reader = CompactReader(bytes)
        guard reader.read() == version, let count = reader.read(), let distance = reader.read(),
            let moving = reader.readSigned(), let topSpeed = reader.readOptional(),
            let climb = readClimb(&reader), let box = readBox(&reader), let points = readPoints(&reader),
            points.count >= 2, reader.isAtEnd,
            count > 0, count < 1 << 40, (0...key.level.span).contains(moving),
            isSound(points[..<2], at: key), isSound(points[2...], at: key)
        else { return nil }
        let sum = PathSum(
            first: points[0], last: points[1], count: Int(clamping: count), box: box,
            distance: Double(bitPattern: distance), moving: moving, topSpeed: topSpeed.value, climb: climb.value)
        return Chunk(sum: sum, points: Array(points.dropFirst(2)))
    }

    /// Whether points are in order within a chunk's time, and their numbers are encodable.
    private static func isSound(_ points: ArraySlice<DrawingPoint>, at key: ChunkKey) -> Bool {
        zip(points, points.dropFirst()).allSatisfy { $0.time <= $1.time }
            && points.allSatisfy { point in
                key.times.contains(point.time)
                    && [point.altitude, point.speed].allSatisfy { numbers.contains($0 ?? 0) }
            }
    }

    private static func write(_ climb: Climb?, _ writer: inout CompactWriter) {
        writer.write(optional: climb?.lowest)
        guard let climb else { return }
        for number in [climb.highest, climb.entry, climb.centimetres] { writer.write(signed: number) }
    }

    /// Reads a climb, which may be absent; `nil` for invalid bytes.
    private static func readClimb(_ reader: inout CompactReader) -> (value: Climb?, Void)? {
        guard let lowest = reader.readOptional() else { return nil }
        guard let lowest = lowest.value else { return (nil, ()) }
        guard let highest = reader.readSigned(), let entry = reader.readSigned(), let rise = reader.readSigned(),
            let climb = Climb(lowest: lowest, highest: highest, entry: entry, centimetres: rise)
        else { return nil }
        return (climb, ())
    }

    private static func readBox(_ reader: inout CompactReader) -> GridBox? {
        var edges: [Int32] = []
        for _ in 0..<4 {
            guard let edge = reader.readSigned().flatMap(Int32.init(exactly:)) else { return nil }
            edges.append(edge)
        }
        guard edges[0] <= edges[1], edges[2] <= edges[3] else { return nil }
        return GridBox(latitudes: edges[0]...edges[1], longitudes: edges[2]...edges[3])
    }

    private static func readPoints(_ reader: inout CompactReader) -> [DrawingPoint]? {
        // A point takes six bytes or more.
        guard let count = reader.read(), count <= UInt64(reader.left) / 6 else { return nil }
        var points: [DrawingPoint] = []
        points.reserveCapacity(Int(count))
        var (time, latitude, longitude): (Int64, Int64, Int64) = (0, 0, 0)
        for _ in 0..<count {
            guard let later = reader.readSigned(), let north = reader.readSigned(), let east = reader.readSigned(),
                let altitude = reader.readOptional(), let speed = reader.readOptional(),
                let state = reader.read().flatMap(UInt8.init(exactly:))
            else { return nil }
            (time, latitude, longitude) = (time &+ later, latitude &+ north, longitude &+ east)
            guard let place = GridPosition(latitude, longitude) else { return nil }
            points.append(
                DrawingPoint(
                    time: time, place: place, altitude: altitude.value, speed: speed.value,
                    activity: state < 2 ? nil : Activity(rawValue: state / 2 - 1), beginsLine: state & 1 == 1))
        }
        return points
    }
}
