internal import TrackEngine

/// A number that libgps reads of a message, by its name and type.
enum LibgpsNumber {
    case mode, status
    case lat, lon, alt, altMSL, altHAE, geoidSep, speed, track, eph, epx, epy, epv, eps, epd, hdop, pdop

    /// Those of TPV.
    static let ofPosition = NameTable<LibgpsNumber>([
        "mode": .mode, "status": .status, "lat": .lat, "lon": .lon, "alt": .alt, "altMSL": .altMSL,
        "altHAE": .altHAE, "geoidSep": .geoidSep, "speed": .speed, "track": .track, "eph": .eph, "epx": .epx,
        "epy": .epy, "epv": .epv, "eps": .eps, "epd": .epd,
    ])

    /// Those of SKY.
    static let ofSky = NameTable<LibgpsNumber>(["hdop": .hdop, "pdop": .pdop])

    /// Appends the number as a member: a whole one in digits alone, because libgps gives up at any other; what is no
    /// whole number there counts as 0, which means unknown.
    func write(_ value: Double, writtenAs text: [UInt8], to writer: inout JSONWriter) {
        writer.raw(",\"")
        writer.raw("\(self)".utf8)
        writer.raw("\":")
        switch self {
        case .mode, .status: writer.integer(Int32(exactly: value) ?? 0)
        case .lat, .lon, .alt, .altMSL, .altHAE, .geoidSep, .speed, .track, .eph, .epx, .epy, .epv, .eps, .epd,
            .hdop, .pdop:
            writer.raw(text)
        }
    }
}
