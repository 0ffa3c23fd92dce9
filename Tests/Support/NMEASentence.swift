/// NMEA 0183 of our own making, for feeding receivers' daemons and parsers.
package enum NMEASentence {
    /// Adds `$`, the checksum and nothing else: who sends it adds CR LF.
    package static func framed(_ body: String) -> String {
        let sum = body.utf8.reduce(UInt8(0), ^)
        let digits = String(sum, radix: 16, uppercase: true)
        return "$\(body)*\(digits.count == 1 ? "0" : "")\(digits)"
    }

    /// GGA: position, satellites, HDOP 0.9, altitude above the sea, geoid 46.9 m.
    ///
    /// - Parameter secondOfDay: UTC, hundredths are written.
    package static func gga(
        secondOfDay: Double, latitude: Double, longitude: Double, altitude: Double, quality: Int = 1,
        satellites: Int = 8
    ) -> String {
        let position = "\(angle(latitude, "N", "S", degrees: 2)),\(angle(longitude, "E", "W", degrees: 3))"
        let count = pad(satellites, 2)
        return framed(
            "GPGGA,\(time(secondOfDay)),\(position),\(quality),\(count),0.9,\(fixed(altitude, 1)),M,46.9,M,,")
    }

    /// RMC: position, speed in m/s, course, date as `ddmmyy`.
    package static func rmc(
        secondOfDay: Double, date: String, latitude: Double, longitude: Double, speed: Double, course: Double,
        isValid: Bool = true
    ) -> String {
        let position = "\(angle(latitude, "N", "S", degrees: 2)),\(angle(longitude, "E", "W", degrees: 3))"
        let motion = "\(fixed(speed * 3600 / 1852, 3)),\(fixed(course, 1))"
        return framed("GPRMC,\(time(secondOfDay)),\(isValid ? "A" : "V"),\(position),\(motion),\(date),,")
    }

    private static func time(_ secondOfDay: Double) -> String {
        let hundredths = Int((secondOfDay * 100).rounded())
        let seconds = hundredths / 100
        return pad(seconds / 3600, 2) + pad(seconds / 60 % 60, 2) + pad(seconds % 60, 2) + "."
            + pad(hundredths % 100, 2)
    }

    /// Degrees and minutes with five decimals, about 2 cm.
    private static func angle(_ value: Double, _ positive: String, _ negative: String, degrees width: Int) -> String {
        let units = Int((abs(value) * 60 * 100_000).rounded())
        let minutes = pad(units / 100_000 % 60, 2) + "." + pad(units % 100_000, 5)
        return pad(units / 6_000_000, width) + minutes + "," + (value < 0 ? negative : positive)
    }

    private static func fixed(_ value: Double, _ decimals: Int) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let units = Int((abs(value) * Double(scale)).rounded())
        return (value < 0 ? "-" : "") + "\(units / scale)." + pad(units % scale, decimals)
    }

    private static func pad(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
