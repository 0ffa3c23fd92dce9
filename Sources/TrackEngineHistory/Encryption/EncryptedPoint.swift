import TrackEngine

/// The bytes of a sealed point: a version, the numbers of ``PointRow`` except the time in the order of its columns,
/// its source's number, and its sender's id, all in as few bytes as they need (``CompactWriter``).
///
/// The sender's id is a kind (0 none, 1 a record's id, 2 a text), followed by 16 bytes, or by a length and that
/// number of bytes.
enum EncryptedPoint {
    private static let version: UInt64 = 1

    static func write(_ row: PointRow, source: Int64?, senderID: SenderID?, to writer: inout CompactWriter) {
        writer.write(version)
        var isTime = true
        row.forEachColumn { number in
            if !isTime { writer.write(optional: number) }
            isTime = false
        }
        writer.write(optional: source)
        switch senderID {
        case nil: writer.write(0)
        case .record(let id):
            writer.write(1)
            withUnsafeBytes(of: id.rawValue.bigEndian) { writer.append($0) }
        case .text(let text):
            writer.write(2)
            writer.write(UInt64(text.utf8.count))
            writer.append(text.utf8)
        }
    }

    /// Reads a point of a time; `nil` for invalid bytes.
    static func read(_ bytes: some Collection<UInt8>, time: Int64) -> StoredPoint? {
        var reader = CompactReader(Array(bytes))
        guard reader.read() == version, let row = PointRow(time: time, &reader), let source = reader.readOptional(),
            let id = readID(&reader), reader.isAtEnd
        else { return nil }
        return StoredPoint(row: row, source: source.value, senderID: id.value)
    }

    private static func readID(_ reader: inout CompactReader) -> (value: SenderID?, Void)? {
        switch reader.read() {
        case 0: return (nil, ())
        case 1: return reader.read(count: 16).flatMap { RecordID(bytes: $0) }.map { (.record($0), ()) }
        case 2:
            return reader.read().flatMap { reader.read(count: $0) }
                .flatMap { String(validating: $0, as: UTF8.self) }.map { (.text($0), ()) }
        case _: return nil
        }
    }
}

extension PointRow {
    /// Reads the numbers except the time.
    fileprivate init?(time: Int64, _ reader: inout CompactReader) {
        guard let latitude = reader.readOptional(), let longitude = reader.readOptional(),
            let place = GridPosition(latitude.value, longitude.value), let altitude = reader.readOptional(),
            let horizontalAccuracy = reader.readOptional(), let verticalAccuracy = reader.readOptional(),
            let speed = reader.readOptional(), let speedAccuracy = reader.readOptional(),
            let course = reader.readOptional(), let courseAccuracy = reader.readOptional(),
            let satellites = reader.readOptional(), let battery = reader.readOptional(),
            let state = reader.readOptional()
        else { return nil }
        self.time = time
        self.place = place
        self.altitude = altitude.value
        self.horizontalAccuracy = horizontalAccuracy.value
        self.verticalAccuracy = verticalAccuracy.value
        self.speed = speed.value
        self.speedAccuracy = speedAccuracy.value
        self.course = course.value
        self.courseAccuracy = courseAccuracy.value
        self.satellites = satellites.value
        self.battery = battery.value
        self.state = PointState(bits: state.value ?? 0)
    }
}
