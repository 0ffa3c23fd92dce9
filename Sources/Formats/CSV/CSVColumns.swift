internal import TrackEngine

/// Which column of a CSV file holds what, as its header names them.
struct CSVColumns {
    /// What a column may hold. Speeds are metres per second, lengths metres, angles degrees.
    enum Column: Int, CaseIterable {
        case time, latitude, longitude, altitude, ellipsoidalAltitude, speed, course, horizontalAccuracy
        case verticalAccuracy, speedAccuracy, courseAccuracy, horizontalDilution, positionDilution, satellites, mode
        /// The hemispheres of a latitude and a longitude without a sign.
        case northSouth, eastWest

        /// What its numbers measure.
        var quantity: CSVQuantity {
            switch self {
            case .time: .time
            case .latitude, .longitude, .course, .courseAccuracy: .angle
            case .altitude, .ellipsoidalAltitude, .horizontalAccuracy, .verticalAccuracy: .length
            case .speed, .speedAccuracy: .speed
            case .horizontalDilution, .positionDilution, .satellites, .mode, .northSouth, .eastWest: .count
            }
        }
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
        "satellitesused": .satellites, "mode": .mode, "ns": .northSouth, "northsouth": .northSouth,
        "latdir": .northSouth, "latitudedirection": .northSouth, "latref": .northSouth, "latituderef": .northSouth,
        "lathemisphere": .northSouth, "latitudehemisphere": .northSouth, "ew": .eastWest, "eastwest": .eastWest,
        "londir": .eastWest, "lngdir": .eastWest, "longitudedirection": .eastWest, "lonref": .eastWest,
        "longituderef": .eastWest, "lonhemisphere": .eastWest, "longitudehemisphere": .eastWest,
    ])

    /// What a header must have, for messages.
    static let expectation =
        "expected a header with time or timestamp, lat or latitude, lon, lng or longitude; and of your choice altitude, "
        + "speed, course, accuracy, vertical_accuracy, speed_accuracy, course_accuracy, hdop, pdop, satellites, mode"

    /// A column that counts.
    struct Meaning {
        let column: Column
        /// How its numbers become the fix's unit; `nil` where they are in it.
        let scale: CSVScale?
    }

    /// What separates the fields: comma, semicolon or tab, whichever the header has most of.
    let separator: UInt8
    private var columns: [Meaning?] = []
    /// What is wrong with the headings of columns that would count if their unit were known.
    private(set) var defects: [String] = []

    /// Reads a header; `nil` where time or position have no column.
    init?(header: Span<UInt8>) {
        separator = Self.separator(of: header)
        var named: [Column] = []
        var fields = CSVFields(separator: separator)
        while let field = fields.next(in: header) {
            switch CSVHeading(CSVFields.text(of: field, in: header).span).meaning {
            case .column(let column, let scale):
                named.append(column)
                columns.append(Meaning(column: column, scale: scale))
            case .unknownUnit(let column, let unit):
                named.append(column)
                columns.append(nil)
                defects.append("column \(columns.count): unit \(unit): \(column.quantity.expectation)")
            case nil: columns.append(nil)
            }
        }
        guard Self.needed.allSatisfy({ named.contains($0) }) else { return nil }
    }

    private static let needed: [Column] = [.time, .latitude, .longitude]

    /// Whether time and position have a column in a known unit.
    var isComplete: Bool { Self.needed.allSatisfy { needed in columns.contains { $0?.column == needed } } }

    /// How many fields a record has.
    var count: Int { columns.count }

    /// What the column at an index holds; `nil` for one that does not count.
    subscript(index: Int) -> Meaning? {
        index < columns.count ? columns[index] : nil
    }

    /// The column of a name in lower case and without anything but letters and digits.
    static func column(named name: Span<UInt8>) -> Column? { names[name] }

    /// What separates the fields of a header.
    static func separator(of header: Span<UInt8>) -> UInt8 {
        var best = (byte: UInt8(ascii: ","), count: 0)
        for candidate in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
            var count = 0
            for index in 0..<header.count where header[index] == candidate { count += 1 }
            if count > best.count { best = (candidate, count) }
        }
        return best.byte
    }
}
