internal import TrackEngine

/// The members of TPV that are used.
enum PositionMembers {
    case device, time, mode, status, lat, lon, alt, altMSL, altHAE, geoidSep, speed, track
    case eph, epx, epy, epv, eps, epd

    /// The member for each name.
    static let names = NameTable<PositionMembers>([
        "device": .device, "time": .time, "mode": .mode, "status": .status, "lat": .lat, "lon": .lon, "alt": .alt,
        "altMSL": .altMSL, "altHAE": .altHAE, "geoidSep": .geoidSep, "speed": .speed, "track": .track, "eph": .eph,
        "epx": .epx, "epy": .epy, "epv": .epv, "eps": .eps, "epd": .epd,
    ])

    /// Reads a TPV.
    ///
    /// - Parameter names: ``names``, passed in because access to a global costs more than a lookup.
    static func read(
        _ line: Span<UInt8>, _ names: borrowing NameTable<PositionMembers>, _ device: inout DeviceName
    ) throws(MalformedReport) -> PositionReport {
        var numbers = Values()
        var report = PositionReport()
        var cursor = JSONReader()
        cursor.beginObject(line)
        while let name = cursor.nextName(line) {
            switch cursor.meaning(of: name, line, names) {
            case .device: report.device = try device.read(&cursor, line) ?? report.device
            case .time: report.readTime(&cursor, line)
            case .some(let member): report.read(member, &numbers, &cursor, line)
            case nil: cursor.skip(line)
            }
        }
        guard cursor.isAtEnd(line) else { throw MalformedReport.noReport }
        guard let mode = numbers.mode else { throw MalformedReport("expected a \"mode\" in TPV") }
        report.mode = Fix.Mode(gpsd: mode)
        if let latitude = numbers.latitude, let longitude = numbers.longitude {
            report.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        }
        return report
    }

    /// Numbers that are converted to other types.
    struct Values {
        var mode: Double?
        var latitude: Double?
        var longitude: Double?
    }
}

extension PositionReport {
    fileprivate mutating func readTime(_ cursor: inout JSONReader, _ line: Span<UInt8>) {
        guard let text = cursor.stringOrSkip(line) else { return }
        time = Timestamp(text: line.extracting(text))
        hasMalformedTime = time == nil
    }

    @inline(__always)
    fileprivate mutating func read(
        _ member: PositionMembers, _ numbers: inout PositionMembers.Values, _ cursor: inout JSONReader,
        _ line: Span<UInt8>
    ) {
        guard let value = cursor.number(line) else { return }
        switch member {
        case .device, .time: break
        case .mode: numbers.mode = value
        case .status: status = Fix.Status(gpsd: value)
        case .lat: numbers.latitude = value
        case .lon: numbers.longitude = value
        case .alt: alt = value
        case .altMSL: altMSL = value
        case .altHAE: altHAE = value
        case .geoidSep: geoidSeparation = value
        case .speed: speed = value
        case .track: track = value
        case .eph: eph = value
        case .epx: epx = value
        case .epy: epy = value
        case .epv: epv = value
        case .eps: eps = value
        case .epd: epd = value
        }
    }
}

extension Fix.Status {
    fileprivate init?(gpsd number: Double) {
        guard number >= 0, number < 256, number == number.rounded() else { return nil }
        self.init(rawValue: UInt8(number))
    }
}

extension Fix.Mode {
    /// 2 and 3 are solutions; 0 (unknown), 1 (no fix), and numbers that gpsd does not define, are not.
    fileprivate init?(gpsd number: Double) {
        switch number {
        case 2: self = .twoDimensional
        case 3: self = .threeDimensional
        default: return nil
        }
    }
}
