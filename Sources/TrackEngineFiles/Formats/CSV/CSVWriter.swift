package import TrackEngine

/// Comma-separated values (RFC 4180, so lines end in CR LF) with the header ``header``.
///
/// | column | |
/// |---|---|
/// | `time` | RFC 3339, UTC, milliseconds, or nanoseconds if needed |
/// | `latitude`, `longitude` | degrees, nine decimals |
/// | `altitude`, `ellipsoidal_altitude` | metres above mean sea level and above the ellipsoid |
/// | `accuracy`, `vertical_accuracy` | metres, 95 % |
/// | `speed`, `course` | metres per second, degrees from true north |
/// | `mode`, `satellites` | 2 or 3; the number of used satellites |
/// | `id`, `is_moving`, `event` | of the record: UUID, `true` or `false`, `motionchange` |
/// | `activity`, `source` | of the record: a word, a name |
/// | `odometer` | metres travelled |
/// | `battery_level`, `battery_state` | 0 to 1; a word |
///
/// Unknown values are empty. A text that a spreadsheet would read as a formula gets an apostrophe as a prefix.
package struct CSVWriter: TrackWriter {
    /// The first line, without its end.
    package static let header: StaticString = """
        time,latitude,longitude,altitude,ellipsoidal_altitude,accuracy,vertical_accuracy,speed,course,mode,satellites,\
        id,is_moving,event,activity,source,odometer,battery_level,battery_state
        """

    package init() {}

    package mutating func begin(_ bytes: inout [UInt8]) {
        bytes.append(Self.header)
        bytes.append("\r\n")
    }

    package mutating func appendValid(_ record: RecordDraft, to bytes: inout [UInt8]) {
        let fix = record.fix
        bytes.appendExact(fix.time)
        appendNumber(fix.coordinate.latitude, decimals: 9, to: &bytes)
        appendNumber(fix.coordinate.longitude, decimals: 9, to: &bytes)
        appendNumber(fix.altitude, decimals: 3, to: &bytes)
        appendNumber(fix.ellipsoidalAltitude, decimals: 3, to: &bytes)
        appendNumber(fix.horizontalAccuracy, decimals: 3, to: &bytes)
        appendNumber(fix.verticalAccuracy, decimals: 3, to: &bytes)
        appendNumber(fix.speed, decimals: 3, to: &bytes)
        appendNumber(fix.course, decimals: 3, to: &bytes)
        appendNumber(fix.mode.map { Double($0.rawValue) }, decimals: 0, to: &bytes)
        appendNumber(fix.satellitesUsed.map { Double($0) }, decimals: 0, to: &bytes)
        appendText(record.id.description, to: &bytes)
        appendText(record.isMoving ? "true" : "false", to: &bytes)
        appendText(record.event?.name, to: &bytes)
        appendText(record.activity?.activity.name, to: &bytes)
        let source = record.source.rawValue
        appendText(Self.isFormula(source) ? "'" + source : source, to: &bytes)
        appendNumber(record.odometer, decimals: 3, to: &bytes)
        appendNumber(record.host?.batteryLevel, decimals: 3, to: &bytes)
        appendText(record.host.flatMap { $0.tellsOfBattery ? $0.batteryState.name : nil }, to: &bytes)
        bytes.append("\r\n")
    }

    package mutating func end(_ bytes: inout [UInt8]) {}

    private func appendNumber(_ value: Double?, decimals: Int, to bytes: inout [UInt8]) {
        bytes.append(",")
        if let value { bytes.appendFixed(value, decimals: decimals) }
    }

    /// Quotes a field that contains a quote, a separator or the end of a line (section 2, rules 6 and 7).
    private func appendText(_ text: String?, to bytes: inout [UInt8]) {
        bytes.append(",")
        guard let text = text?.utf8 else { return }
        guard text.contains(where: { $0 == 0x22 || $0 == 0x2c || $0 == 0x3b || $0 < 0x20 }) else {
            return bytes.append(contentsOf: text)
        }
        bytes.append("\"")
        for byte in text {
            if byte == 0x22 { bytes.append("\"") }
            bytes.append(byte)
        }
        bytes.append("\"")
    }

    /// Whether a spreadsheet would evaluate a text (OWASP, "CSV Injection"), also after blanks and after a separator
    /// of its locale.
    private static func isFormula(_ text: String) -> Bool {
        text.unicodeScalars.split { $0 == ";" || $0 == "\t" || $0 == "\n" || $0 == "\r" }.contains { cell in
            cell.first { !$0.properties.isWhitespace }.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false
        }
    }
}
