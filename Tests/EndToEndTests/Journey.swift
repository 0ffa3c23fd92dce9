import TestSupport
import TrackEngine

/// A vehicle of the test's own: it goes 30 m north from fix to fix and reports a speed at which 16 m make a record, so
/// that every fix that arrives must be recorded.
struct Journey {
    /// A fix as it was fed.
    struct Step: Hashable {
        let time: Timestamp
        /// Ten-thousandths of a minute of latitude, the last digit of the NMEA text.
        let latitude: Int
    }

    static let longitude = 13.5
    /// 30 m, of about 1855 m a minute.
    private static let stride = 162

    private(set) var steps: [Step] = []
    private var time: Timestamp

    /// Begins at a time; it should be about now, since an agent that starts again looks how old its last record is.
    init(start: Timestamp) {
        time = Timestamp(secondsSince1970: start.secondsSince1970)
    }

    /// Goes on by a tenth of a second and feeds gpsd with a receiver's two sentences about it.
    mutating func feedNext(to gpsd: GPSDaemon) {
        time = time.advanced(by: .milliseconds(100))
        let step = Step(time: time, latitude: 52 * 60 * 10_000 + steps.count * Self.stride)
        steps.append(step)
        for sentence in step.sentences { gpsd.feed(sentence) }
    }
}

extension Journey.Step {
    /// Degrees north.
    var degrees: Double { Double(latitude) / 600_000 }

    fileprivate var sentences: [String] {
        let text = time.rfc3339()  // 2026-03-01T10:00:00.100Z
        func digits(_ from: Int, _ count: Int) -> Substring { text.dropFirst(from).prefix(count) }
        let clock = "\(digits(11, 2))\(digits(14, 2))\(digits(17, 5))"
        let date = "\(digits(8, 2))\(digits(5, 2))\(digits(2, 2))"
        let (whole, part) = (latitude / 600_000, latitude % 600_000)
        let minutes = "\(padded(whole, 2))\(padded(part / 10_000, 2)).\(padded(part % 10_000, 4))"
        return [
            checked("GPRMC,\(clock),A,\(minutes),N,01330.0000,E,1.90,0.0,\(date),,,A"),
            checked("GPGGA,\(clock),\(minutes),N,01330.0000,E,1,09,0.9,40.0,M,40.0,M,,"),
        ]
    }

    private func padded(_ number: Int, _ digits: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// The sentence with its start and its checksum (NMEA 0183): the exclusive or of what is between `$` and `*`.
    private func checked(_ content: String) -> String {
        let sum = content.utf8.reduce(0, ^)
        let digits = String(sum, radix: 16, uppercase: true)
        return "$\(content)*\(digits.count == 1 ? "0" : "")\(digits)"
    }
}
