internal import TrackEngine

/// One line of gpsd: what a TPV or SKY report says, flat. Other classes are recognised and not read.
struct GPSDReport {
    enum Class {
        case tpv
        case sky
        /// VERSION, DEVICES, WATCH, ATT, GST …: nothing for a fix. GST's `lat` and `lon` are deviations in metres.
        case other
    }

    /// The members that count.
    enum Name {
        case `class`, device, time, mode, status, lat, lon, alt, altMSL, altHAE, speed, track
        case eph, epx, epy, epv, eps, epd, hdop, pdop, nSat, uSat, satellites
    }

    /// What each member's name means.
    static let names = NameTable<Name>([
        "class": .class, "device": .device, "time": .time, "mode": .mode, "status": .status, "lat": .lat, "lon": .lon,
        "alt": .alt, "altMSL": .altMSL, "altHAE": .altHAE, "speed": .speed, "track": .track, "eph": .eph, "epx": .epx,
        "epy": .epy, "epv": .epv, "eps": .eps, "epd": .epd, "hdop": .hdop, "pdop": .pdop, "nSat": .nSat,
        "uSat": .uSat, "satellites": .satellites,
    ])

    private(set) var reportClass: Class?
    /// Where the device's name lies in the line.
    private(set) var device: Range<Int>?
    private(set) var time: Timestamp?
    /// Whether the line has a time, readable or not.
    private(set) var hasTime = false
    private(set) var mode: Double?
    private(set) var status: Double?
    private(set) var latitude: Double?
    private(set) var longitude: Double?
    /// Deprecated in gpsd: above mean sea level where that is known, else above the ellipsoid.
    private(set) var altitude: Double?
    private(set) var altitudeMSL: Double?
    private(set) var altitudeHAE: Double?
    private(set) var speed: Double?
    private(set) var track: Double?
    private(set) var eph: Double?
    private(set) var epx: Double?
    private(set) var epy: Double?
    private(set) var epv: Double?
    private(set) var eps: Double?
    private(set) var epd: Double?
    private(set) var hdop: Double?
    private(set) var pdop: Double?
    private(set) var satellitesVisible: Double?
    private(set) var satellitesUsed: Double?

    /// Reads a line; `nil` for what is not a gpsd report: not an object, cut, or without a class.
    ///
    /// - Parameter names: ``names``, handed in because reaching a global costs more than a lookup.
    @inline(__always)
    init?(_ line: Span<UInt8>, names: borrowing NameTable<Name>) {
        var cursor = JSONCursor()
        cursor.beginObject(line)
        while let name = cursor.nextName(line) {
            guard let known = names[line.extracting(name)] else {
                cursor.skip(line)
                continue
            }
            read(known, &cursor, line)
            if reportClass == .other { return }
        }
        guard cursor.isAtEnd(line), reportClass != nil else { return nil }
    }

    @inline(__always)
    private mutating func read(_ name: Name, _ cursor: inout JSONCursor, _ line: Span<UInt8>) {
        switch name {
        case .class: reportClass = cursor.string(line).map { Class(line.extracting($0)) }
        case .device: device = cursor.stringOrSkip(line)
        case .time: readTime(&cursor, line)
        case .mode: mode = cursor.number(line)
        case .status: status = cursor.number(line)
        case .lat: latitude = cursor.number(line)
        case .lon: longitude = cursor.number(line)
        case .alt: altitude = cursor.number(line)
        case .altMSL: altitudeMSL = cursor.number(line)
        case .altHAE: altitudeHAE = cursor.number(line)
        case .speed: speed = cursor.number(line)
        case .track: track = cursor.number(line)
        case .eph: eph = cursor.number(line)
        case .epx: epx = cursor.number(line)
        case .epy: epy = cursor.number(line)
        case .epv: epv = cursor.number(line)
        case .eps: eps = cursor.number(line)
        case .epd: epd = cursor.number(line)
        case .hdop: hdop = cursor.number(line)
        case .pdop: pdop = cursor.number(line)
        case .nSat: satellitesVisible = cursor.number(line)
        case .uSat: satellitesUsed = cursor.number(line)
        case .satellites: countSatellites(&cursor, line)
        }
    }

    private mutating func readTime(_ cursor: inout JSONCursor, _ line: Span<UInt8>) {
        guard let text = cursor.stringOrSkip(line) else { return }
        hasTime = true
        time = Timestamp(text: line.extracting(text))
    }

    /// Counts the satellites of SKY, for gpsd before 3.22 wrote neither `nSat` nor `uSat`.
    private mutating func countSatellites(_ cursor: inout JSONCursor, _ line: Span<UInt8>) {
        guard cursor.peek(line) == UInt8(ascii: "[") else { return cursor.skip(line) }
        var visible = 0
        var used = 0
        cursor.beginArray(line)
        while cursor.nextElement(line) {
            visible += 1
            if Self.isUsed(&cursor, line) { used += 1 }
        }
        satellitesVisible = satellitesVisible ?? Double(visible)
        satellitesUsed = satellitesUsed ?? Double(used)
    }

    private static func isUsed(_ cursor: inout JSONCursor, _ line: Span<UInt8>) -> Bool {
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

extension GPSDReport.Class {
    fileprivate init(_ name: Span<UInt8>) {
        if name.equals("TPV") {
            self = .tpv
        } else if name.equals("SKY") {
            self = .sky
        } else {
            self = .other
        }
    }
}
