internal import CGPS
package import GPSDProtocol
internal import TrackEngine

/// Decodes a line of gpsd. The numbers of a position are parsed by libgps, but only from input that is safe for it.
///
/// libgps 3.22 decodes a valid line correctly, but `gps_unpack` returns 0 for a truncated one and keeps the values it
/// has read so far. It stops at the first member with a type that it does not expect (a `null`, a nested value of a
/// newer gpsd), makes the year 1900 of an invalid time, and **does not return** from a DEVICES list that is truncated
/// or longer than the four devices it was built for (gpsd lists six from 3.27 on). Each line is therefore first read
/// by ``GPSDProtocol/ReportDecoder``, which returns the class, the texts, the device lists and the satellites. libgps
/// then gets a well-formed object that contains only numbers, and returns those of the position and the dilutions of
/// the sky.
///
/// The memory belongs to the decoder, so only one thread may use it at a time.
package struct LibgpsDecoder: ~Copyable {
    private var lines = ReportDecoder()
    private let positionNumbers = LibgpsNumber.ofPosition
    private let skyNumbers = LibgpsNumber.ofSky
    /// libgps' data about the daemon, 24 kB, on the heap because `gps_unpack` needs its address.
    private let unpacked: UnsafeMutablePointer<gps_data_t>

    /// Creates a decoder; it keeps no data from one line to the next.
    package init() {
        unpacked = .allocate(capacity: 1)
        unpacked.initialize(to: gps_data_t())
    }

    deinit {
        unpacked.deinitialize(count: 1)
        unpacked.deallocate()
    }

    /// Decodes a line without its line end.
    ///
    /// - Throws: `MalformedReport` if the line is not a JSON object with a class, or lacks a required member of its
    ///   class.
    package mutating func decode(_ line: some Sequence<UInt8>) throws(MalformedReport) -> Report {
        let line = ContiguousArray(line)
        do throws(MalformedReport) {
            return try decodeStrictly(line.span)
        } catch {
            guard let readable = ReportDecoder.withoutNumberWords(line.span) else { throw error }
            return try decodeStrictly(readable.span)
        }
    }

    private mutating func decodeStrictly(_ line: Span<UInt8>) throws(MalformedReport) -> Report {
        let report = try lines.decodeStrictly(line)
        switch report {
        case .position(var position):
            gps_clear_fix(&unpacked.pointee.fix)
            try unpack("TPV", positionNumbers, of: line, expecting: STATUS_SET)
            position.takeNumbers(of: unpacked.pointee.fix)
            return .position(position)
        case .sky(var sky):
            gps_clear_dop(&unpacked.pointee.dop)
            try unpack("SKY", skyNumbers, of: line, expecting: SATELLITE_SET)
            sky.hdop = unpacked.pointee.dop.hdop.ifFinite
            sky.pdop = unpacked.pointee.dop.pdop.ifFinite
            return .sky(sky)
        case .version, .devices, .device, .watch, .poll, .error, .other:
            return report
        }
    }

    /// Passes the numbers of a message to libgps, and checks by its mask that it recognised the class.
    private func unpack(
        _ name: StaticString, _ numbers: borrowing NameTable<LibgpsNumber>, of line: Span<UInt8>,
        expecting mask: UInt64
    ) throws(MalformedReport) {
        var characters = Self.object(ofClass: name, numbers, of: line).map { CChar(bitPattern: $0) } + [0]
        unpacked.pointee.set = 0
        let result = gps_unpack(&characters, unpacked)
        guard result >= 0, unpacked.pointee.set & mask == mask else {
            throw MalformedReport("expected the members of \(name) as libgps knows them")
        }
    }

    /// An object of the class with the line's numbers for libgps, each as gpsd wrote it.
    ///
    /// Members that would stop libgps are omitted: values that are not numbers, and names that it does not expect.
    private static func object(
        ofClass name: StaticString, _ numbers: borrowing NameTable<LibgpsNumber>, of line: Span<UInt8>
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: line.count)
        writer.raw("{\"class\":\"")
        writer.raw(name)
        writer.raw("\"")
        var cursor = JSONReader()
        cursor.beginObject(line)
        while let member = cursor.nextName(line) {
            guard let number = cursor.meaning(of: member, line, numbers) else {
                cursor.skip(line)
                continue
            }
            _ = cursor.peek(line)  // moves behind white space
            let start = cursor.offset
            guard let value = cursor.number(line) else { continue }
            number.write(value, writtenAs: line.copied(start..<cursor.offset), to: &writer)
        }
        writer.raw("}")
        return writer.bytes
    }
}

extension PositionReport {
    /// Copies the values from libgps: NaN means unknown, and so does 0 for a status that was not in the message.
    fileprivate mutating func takeNumbers(of fix: gps_fix_t) {
        switch fix.mode {
        case MODE_2D: mode = .twoDimensional
        case MODE_3D: mode = .threeDimensional
        default: mode = nil
        }
        status = UInt8(exactly: fix.status).flatMap(Fix.Status.init(rawValue:))
        let isPosition = fix.latitude.isFinite && fix.longitude.isFinite
        coordinate = isPosition ? Coordinate(latitude: fix.latitude, longitude: fix.longitude) : nil
        altHAE = fix.altHAE.ifFinite
        altMSL = fix.altMSL.ifFinite
        alt = fix.altitude.ifFinite
        geoidSeparation = fix.geoid_sep.ifFinite
        eph = fix.eph.ifFinite
        epx = fix.epx.ifFinite
        epy = fix.epy.ifFinite
        epv = fix.epv.ifFinite
        speed = fix.speed.ifFinite
        eps = fix.eps.ifFinite
        track = fix.track.ifFinite
        epd = fix.epd.ifFinite
    }
}

extension Double {
    fileprivate var ifFinite: Double? { isFinite ? self : nil }
}

/// A number that libgps reads from a message, by its name and type.
enum LibgpsNumber {
    case mode, status
    case lat, lon, alt, altMSL, altHAE, geoidSep, speed, track, eph, epx, epy, epv, eps, epd, hdop, pdop

    /// The numbers of TPV.
    static let ofPosition = NameTable<LibgpsNumber>([
        "mode": .mode, "status": .status, "lat": .lat, "lon": .lon, "alt": .alt, "altMSL": .altMSL,
        "altHAE": .altHAE, "geoidSep": .geoidSep, "speed": .speed, "track": .track, "eph": .eph, "epx": .epx,
        "epy": .epy, "epv": .epv, "eps": .eps, "epd": .epd,
    ])

    static let ofSky = NameTable<LibgpsNumber>(["hdop": .hdop, "pdop": .pdop])

    /// Appends the number as a member. A whole number is written in digits only, because libgps stops at any other
    /// form; a fraction in its place becomes 0, which means unknown.
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
