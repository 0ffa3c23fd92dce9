internal import CGPS
internal import TrackEngine

/// Turns one line of gpsd into a value, by libgps where it knows better than we, and never by more of it than is safe.
///
/// libgps 3.22 decodes a good line well, but `gps_unpack` answers 0 for a cut one and keeps what it has read so far, stops
/// at the first member whose type it does not expect (a `null`, a nested value of a newer gpsd), makes the year 1900 of a
/// time that is none, and **does not return** from a DEVICES list that is cut or longer than the four devices it was
/// built for (gpsd lists six from 3.27 on). So each line is first read as strict JSON, which gives the class, the texts,
/// the device lists and the satellites. What libgps then gets is a well-formed object of the class's numbers alone, and
/// from it come the fields of ``PositionReport`` and the dilutions of ``SkyReport``.
///
/// Memory is the decoder's own, so it belongs to one thread at a time.
package struct ReportDecoder: ~Copyable {
    /// gpsd's own paths have at most 128 bytes (`GPS_PATH_MAX`); what is kept of one must not depend on the peer.
    package static let longestPath = 256

    /// libgps' view of the daemon, 24 kB, on the heap because `gps_unpack` wants its address.
    private let unpacked: UnsafeMutablePointer<gps_data_t>

    /// A decoder; it keeps nothing from one line to the next.
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
    /// - Throws: ``MalformedReport`` when the line is not a JSON object with a class, or lacks what its class must have.
    package mutating func decode(_ line: some Sequence<UInt8>) throws(MalformedReport) -> Report {
        let message = try parse(line)
        guard let name = message["class"]?.string else { throw MalformedReport("expected a \"class\"") }
        switch name {
        case "TPV": return .position(try position(message))
        case "SKY": return .sky(try sky(message))
        case "VERSION": return version(message)
        case "DEVICES": return .devices(try devices(message))
        case "DEVICE": return try device(message)
        case "WATCH": return .watch(isEnabled: message["enable"]?.boolean ?? false)
        case "ERROR": return .error(String((message["message"]?.string ?? "without a message").prefix(200)))
        default: return .other(String(name.prefix(32)))
        }
    }

    private func parse(_ line: some Sequence<UInt8>) throws(MalformedReport) -> JSONValue {
        do {
            return try JSONValue.parse(line)
        } catch {
            throw MalformedReport("expected JSON, \(error)")
        }
    }

    private func version(_ message: JSONValue) -> Report {
        let numbers = ["proto_major", "proto_minor"].map { name in
            (message[name]?.number).flatMap(Int.init(exactly:)).map { "\($0)" } ?? "?"
        }
        return .version(
            release: String((message["release"]?.string ?? "unknown").prefix(64)),
            protocolVersion: numbers.joined(separator: "."))
    }

    /// A receiver that went says `"activated":0`; one that came says since when it is active.
    private func device(_ message: JSONValue) throws(MalformedReport) -> Report {
        guard let path = try path(message["path"]) else { throw MalformedReport("expected a \"path\" in DEVICE") }
        return .device(path: path, isActive: message["activated"]?.number != 0)
    }

    private func devices(_ message: JSONValue) throws(MalformedReport) -> [String] {
        var paths: [String] = []
        for device in message["devices"]?.array ?? [] {
            if let path = try path(device["path"]) { paths.append(path) }
        }
        return paths
    }

    /// A receiver's path; `nil` where there is none.
    private func path(_ value: JSONValue?) throws(MalformedReport) -> String? {
        guard let path = value?.string else { return nil }
        guard path.utf8.count <= Self.longestPath else {
            throw MalformedReport("expected at most \(Self.longestPath) bytes in a receiver's path")
        }
        return path
    }

    private func position(_ message: JSONValue) throws(MalformedReport) -> PositionReport {
        guard message["mode"]?.number != nil else { throw MalformedReport("expected a \"mode\" in TPV") }
        gps_clear_fix(&unpacked.pointee.fix)
        try unpack("TPV", numbersOf: message, expecting: STATUS_SET)
        var report = PositionReport(unpacked.pointee.fix)
        report.device = try path(message["device"])
        report.time = message["time"]?.string.flatMap { Timestamp(rfc3339: $0) }
        return report
    }

    private func sky(_ message: JSONValue) throws(MalformedReport) -> SkyReport {
        gps_clear_dop(&unpacked.pointee.dop)
        try unpack("SKY", numbersOf: message, expecting: SATELLITE_SET)
        let satellites = message["satellites"]?.array
        var report = SkyReport()
        report.device = try path(message["device"])
        report.hdop = unpacked.pointee.dop.hdop.ifFinite
        report.pdop = unpacked.pointee.dop.pdop.ifFinite
        report.satellitesUsed =
            message["uSat"]?.count ?? satellites?.count { $0["used"]?.boolean == true }
        report.satellitesVisible = message["nSat"]?.count ?? satellites?.count
        return report
    }

    private static func isForLibgps(_ name: String) -> Bool {
        name.utf8.count <= 31 && !["class", "device", "time"].contains(name)
    }

    /// Hands the numbers of a message to libgps and checks by its mask that it took them for the right class.
    ///
    /// Left out is what would make it stop half-way: texts (we read them ourselves) and names longer than the 31 bytes
    /// of its `JSON_ATTR_MAX`.
    private func unpack(
        _ name: String, numbersOf message: JSONValue, expecting mask: UInt64
    ) throws(MalformedReport) {
        var writer = JSONWriter()
        writer.raw("{\"class\":")
        writer.string(name)
        for member in message.members ?? [] where member.value.number != nil && Self.isForLibgps(member.name) {
            writer.raw(",")
            writer.string(member.name)
            writer.raw(":")
            member.value.write(to: &writer)
        }
        writer.raw("}")
        var text = writer.bytes.map { CChar(bitPattern: $0) } + [0]
        unpacked.pointee.set = 0
        let result = gps_unpack(&text, unpacked)
        guard result >= 0, unpacked.pointee.set & mask == mask else {
            throw MalformedReport("expected the members of \(name) as libgps knows them")
        }
    }
}

/// Why a line is not a report; the text names no value of the line.
package struct MalformedReport: Error, Sendable, Hashable {
    /// What was expected.
    package let message: String

    init(_ message: String) { self.message = message }
}

extension PositionReport {
    /// Takes over what libgps knows: it says NaN for unknown, and 0 for a status that was not in the message.
    fileprivate init(_ fix: gps_fix_t) {
        self.init()
        switch fix.mode {
        case MODE_2D: mode = .twoDimensional
        case MODE_3D: mode = .threeDimensional
        default: mode = nil
        }
        status = UInt8(exactly: fix.status).flatMap(Fix.Status.init(rawValue:))
        if fix.latitude.isFinite, fix.longitude.isFinite {
            coordinate = Coordinate(latitude: fix.latitude, longitude: fix.longitude)
        }
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

extension JSONValue {
    /// A whole number that is not negative.
    fileprivate var count: Int? {
        number.flatMap(Int.init(exactly:)).flatMap { $0 >= 0 ? $0 : nil }
    }
}
