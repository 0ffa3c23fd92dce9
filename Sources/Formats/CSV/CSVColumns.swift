internal import TrackEngine

/// Which column of a CSV file holds what, as its header names them.
struct CSVColumns {
    /// What a column may hold. Speeds are metres per second, lengths metres, angles degrees.
    enum Column: Int, CaseIterable {
        case time, latitude, longitude, altitude, ellipsoidalAltitude, speed, course, horizontalAccuracy
        case verticalAccuracy, speedAccuracy, courseAccuracy, horizontalDilution, positionDilution, satellites, mode
    }

    /// The names, in lower case and without anything but letters and digits.
    private static let names = NameTable<Column>([
        "time": .time, "timestamp": .time, "datetime": .time, "utc": .time, "lat": .latitude, "latitude": .latitude,
        "lon": .longitude, "lng": .longitude, "long": .longitude, "longitude": .longitude, "alt": .altitude,
        "altitude": .altitude, "ele": .altitude, "elevation": .altitude, "ellipsoidalaltitude": .ellipsoidalAltitude,
        "althae": .ellipsoidalAltitude, "speed": .speed, "course": .course, "heading": .course, "bearing": .course,
        "track": .course, "accuracy": .horizontalAccuracy, "hacc": .horizontalAccuracy,
        "horizontalaccuracy": .horizontalAccuracy, "vacc": .verticalAccuracy, "verticalaccuracy": .verticalAccuracy,
        "altitudeaccuracy": .verticalAccuracy, "sacc": .speedAccuracy, "speedaccuracy": .speedAccuracy,
        "cacc": .courseAccuracy, "courseaccuracy": .courseAccuracy, "headingaccuracy": .courseAccuracy,
        "hdop": .horizontalDilution, "pdop": .positionDilution, "satellites": .satellites, "sat": .satellites,
        "satellitesused": .satellites, "mode": .mode,
    ])

    /// What a header must have, for messages.
    static let expectation =
        "expected a header with time or timestamp, lat or latitude, lon, lng or longitude; and of your choice altitude, "
        + "speed, course, accuracy, vertical_accuracy, speed_accuracy, course_accuracy, hdop, pdop, satellites, mode"

    /// What separates the fields: comma, semicolon or tab, whichever the header has most of.
    let separator: UInt8
    private var columns: [Column?] = []

    /// Reads a header; `nil` where time or position have no column.
    init?(header: Span<UInt8>) {
        separator = Self.separator(of: header)
        var fields = CSVFields(separator: separator)
        while let field = fields.next(in: header) {
            let name = CSVFields.text(of: field, in: header)
            columns.append(Self.names[Self.normalized(name.span).span])
        }
        let needed: [Column] = [.time, .latitude, .longitude]
        guard needed.allSatisfy({ columns.contains($0) }) else { return nil }
    }

    /// What the column at an index holds; `nil` for one that does not count.
    subscript(index: Int) -> Column? {
        index < columns.count ? columns[index] : nil
    }

    private static func separator(of header: Span<UInt8>) -> UInt8 {
        var best = (byte: UInt8(ascii: ","), count: 0)
        for candidate in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
            var count = 0
            for index in 0..<header.count where header[index] == candidate { count += 1 }
            if count > best.count { best = (candidate, count) }
        }
        return best.byte
    }

    /// `Horizontal_Accuracy (m)` is `horizontalaccuracy`: a unit in brackets is taken away.
    private static func normalized(_ name: Span<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        for index in 0..<name.count {
            let byte = name[index].lowercasedASCII
            if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { break }
            if byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 { result.append(byte) }
        }
        return result
    }
}
