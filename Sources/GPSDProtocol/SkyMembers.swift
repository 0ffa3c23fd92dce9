internal import TrackEngine

/// The members of SKY that are used.
enum SkyMembers {
    case device, time, hdop, pdop, nSat, uSat, satellites

    /// The member for each name.
    static let names = NameTable<SkyMembers>([
        "device": .device, "time": .time, "hdop": .hdop, "pdop": .pdop, "nSat": .nSat, "uSat": .uSat,
        "satellites": .satellites,
    ])

    /// Reads a SKY. gpsd before 3.22 writes neither `nSat` nor `uSat`; the satellites are counted then.
    ///
    /// - Parameter names: ``names``, passed in because access to a global costs more than a lookup.
    static func read(
        _ line: Span<UInt8>, _ names: borrowing NameTable<SkyMembers>, _ device: inout DeviceName
    ) throws(MalformedReport) -> SkyReport {
        var report = SkyReport()
        var listed: (visible: Int, used: Int)?
        var cursor = JSONReader()
        cursor.beginObject(line)
        while let name = cursor.nextName(line) {
            switch cursor.meaning(of: name, line, names) {
            case .device: report.device = try device.read(&cursor, line) ?? report.device
            case .time: report.time = cursor.stringOrSkip(line).flatMap { Timestamp(text: line.extracting($0)) }
            case .hdop: report.hdop = cursor.number(line) ?? report.hdop
            case .pdop: report.pdop = cursor.number(line) ?? report.pdop
            case .nSat: report.satellitesVisible = count(cursor.number(line))
            case .uSat: report.satellitesUsed = count(cursor.number(line))
            case .satellites: listed = countSatellites(&cursor, line) ?? listed
            case nil: cursor.skip(line)
            }
        }
        guard cursor.isAtEnd(line) else { throw MalformedReport.noReport }
        report.satellitesVisible = report.satellitesVisible ?? listed?.visible
        report.satellitesUsed = report.satellitesUsed ?? listed?.used
        return report
    }

    /// A whole number that is not negative.
    private static func count(_ number: Double?) -> Int? {
        number.flatMap(Int.init(exactly:)).flatMap { $0 >= 0 ? $0 : nil }
    }

    private static func countSatellites(
        _ cursor: inout JSONReader, _ line: Span<UInt8>
    ) -> (visible: Int, used: Int)? {
        guard cursor.peek(line) == UInt8(ascii: "[") else {
            cursor.skip(line)
            return nil
        }
        var count = (visible: 0, used: 0)
        cursor.beginArray(line)
        while cursor.nextElement(line) {
            count.visible += 1
            if isUsed(&cursor, line) { count.used += 1 }
        }
        return count
    }

    private static func isUsed(_ cursor: inout JSONReader, _ line: Span<UInt8>) -> Bool {
        guard cursor.peek(line) == UInt8(ascii: "{") else {
            cursor.skip(line)
            return false
        }
        var isUsed = false
        cursor.beginObject(line)
        while let name = cursor.nextName(line) {
            if line.extracting(name).equals("used") {
                isUsed = cursor.isTrue(line)
            } else {
                cursor.skip(line)
            }
        }
        return isUsed
    }
}
