package import TrackEngine

/// NMEA 0183: RMC and GGA for each fix, and GST if an accuracy is known.
///
/// RMC comes first, so that a reader has the date before all other values. Minutes have five decimals (2 cm), times
/// three. NMEA does not support several sources, ids or events. GST contains standard deviations, which
/// ``NMEAAccuracy`` derives from the engine's 95 %. A record before 1980 or after 2079 is left out, because the two
/// digits of its year would mean another century.
package struct NMEAWriter: TrackWriter {
    package init() {}

    package mutating func begin(_ bytes: inout [UInt8]) {}

    package mutating func appendValid(_ record: RecordDraft, to bytes: inout [UInt8]) {
        let fix = record.fix
        guard Self.holds(fix.time) else { return }
        sentence(&bytes) { appendRMC(fix, to: &$0) }
        sentence(&bytes) { appendGGA(fix, to: &$0) }
        if fix.horizontalAccuracy != nil { sentence(&bytes) { appendGST(fix, to: &$0) } }
    }

    package mutating func end(_ bytes: inout [UInt8]) {}

    /// Whether two digits can represent the year of a time.
    package static func holds(_ time: Timestamp) -> Bool {
        NMEADate.years.contains(CivilDate(daysSince1970: time.daysSince1970).year)
    }

    /// Appends `$`, the content, `*`, the exclusive or of the content's bytes, and the end of the line.
    private func sentence(_ bytes: inout [UInt8], _ content: (inout [UInt8]) -> Void) {
        bytes.append("$")
        let start = bytes.count
        content(&bytes)
        let checksum = bytes[start...].reduce(0, ^)
        bytes.append("*")
        bytes.append(Self.hexadecimal[Int(checksum >> 4)])
        bytes.append(Self.hexadecimal[Int(checksum & 15)])
        bytes.append("\r\n")
    }

    private func appendRMC(_ fix: Fix, to bytes: inout [UInt8]) {
        bytes.append("GPRMC,")
        appendTime(fix.time, to: &bytes)
        bytes.append(",A,")
        appendPosition(fix.coordinate, to: &bytes)
        bytes.append(",")
        if let speed = fix.speed { bytes.appendPadded(speed / Knot.metresPerSecond, decimals: 3) }
        bytes.append(",")
        if let course = fix.course { bytes.appendPadded(course, decimals: 2) }
        bytes.append(",")
        appendDate(fix.time, to: &bytes)
        bytes.append(",,,")  // no magnetic variation
        bytes.append(fix.nmeaModeIndicator)
    }

    private func appendGGA(_ fix: Fix, to bytes: inout [UInt8]) {
        bytes.append("GPGGA,")
        appendTime(fix.time, to: &bytes)
        bytes.append(",")
        appendPosition(fix.coordinate, to: &bytes)
        bytes.append(",")
        bytes.appendDecimal(fix.nmeaQuality, digits: 1)
        bytes.append(",")
        if let used = fix.satellitesUsed { bytes.appendDecimal(Int64(used), digits: 2) }
        bytes.append(",")
        if let dilution = fix.horizontalDilution { bytes.appendPadded(Double(dilution), decimals: 2) }
        bytes.append(",")
        if let altitude = fix.altitude { bytes.appendPadded(altitude, decimals: 3) }
        bytes.append(",M,")
        if let altitude = fix.altitude, let ellipsoidal = fix.ellipsoidalAltitude {
            bytes.appendPadded(ellipsoidal - altitude, decimals: 3)
        }
        bytes.append(",M,,")  // no differential station
    }

    private func appendGST(_ fix: Fix, to bytes: inout [UInt8]) {
        bytes.append("GPGST,")
        appendTime(fix.time, to: &bytes)
        bytes.append(",,,,,")  // neither the residuals nor the ellipse
        if let accuracy = fix.horizontalAccuracy {
            let deviation = NMEAAccuracy.deviation(radius: accuracy)
            bytes.appendPadded(deviation, decimals: 3)
            bytes.append(",")
            bytes.appendPadded(deviation, decimals: 3)
        }
        bytes.append(",")
        if let accuracy = fix.verticalAccuracy {
            bytes.appendPadded(NMEAAccuracy.deviation(height: accuracy), decimals: 3)
        }
    }

    // MARK: Fields

    /// `hhmmss.sss`
    private func appendTime(_ time: Timestamp, to bytes: inout [UInt8]) {
        let secondOfDay = time.secondsSince1970 - time.daysSince1970 * 86_400
        bytes.appendDecimal(secondOfDay / 3_600 * 10_000 + secondOfDay / 60 % 60 * 100 + secondOfDay % 60, digits: 6)
        bytes.append(".")
        bytes.appendDecimal(time.nanosecondsInSecond / 1_000_000, digits: 3)
    }

    /// `ddmmyy`
    private func appendDate(_ time: Timestamp, to bytes: inout [UInt8]) {
        let date = CivilDate(daysSince1970: time.daysSince1970)
        bytes.appendDecimal(date.day * 10_000 + date.month * 100 + date.year % 100, digits: 6)
    }

    /// `ddmm.mmmmm,N,dddmm.mmmmm,E`
    private func appendPosition(_ coordinate: Coordinate, to bytes: inout [UInt8]) {
        appendAngle(coordinate.latitude, digits: 4, to: &bytes)
        bytes.append(coordinate.latitude < 0 ? ",S," : ",N,")
        appendAngle(coordinate.longitude, digits: 5, to: &bytes)
        bytes.append(coordinate.longitude < 0 ? ",W" : ",E")
    }

    /// Appends degrees and minutes. They are rounded as one number, so that 59.999999 minutes become the next degree
    /// and never 60.
    private func appendAngle(_ degrees: Double, digits: Int, to bytes: inout [UInt8]) {
        let scaled = Int64((degrees.magnitude * 6_000_000).rounded(.toNearestOrAwayFromZero))
        let (whole, minutes) = scaled.quotientAndRemainder(dividingBy: 6_000_000)
        bytes.appendDecimal(whole * 100 + minutes / 100_000, digits: digits)
        bytes.append(".")
        bytes.appendDecimal(minutes % 100_000, digits: 5)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}

extension Fix {
    /// GGA's quality indicator (NMEA 0183 4.10).
    fileprivate var nmeaQuality: Int64 {
        switch status {
        case .normal, .combined, nil: 1
        case .differential: 2
        case .precise: 3
        case .rtkFixed: 4
        case .rtkFloat: 5
        case .deadReckoning: 6
        case .surveyed: 7
        case .simulated: 8
        }
    }

    /// RMC's mode indicator (since NMEA 0183 2.3).
    fileprivate var nmeaModeIndicator: StaticString {
        switch status {
        case .normal, .combined, nil: "A"
        case .differential: "D"
        case .precise: "P"
        case .rtkFixed: "R"
        case .rtkFloat: "F"
        case .deadReckoning: "E"
        case .surveyed: "M"
        case .simulated: "S"
        }
    }
}
