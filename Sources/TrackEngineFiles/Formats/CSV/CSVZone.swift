internal import TrackEngine

/// Finds the zone of a name of the time zone database; `nil` for a name that is none.
package typealias ZoneNames = @Sendable (String) -> ZoneOffsetTable?

extension ZoneOffsetTable {
    /// Reads a cell of a column with the zone of the times of its row.
    ///
    /// | cell | is |
    /// |---|---|
    /// | `+01:00`, `+0100`, `+1`, `1`, `UTC+1`, `GMT+01:00` | an hour ahead of UTC |
    /// | `5.5`, `-03:30` | hours and half an hour |
    /// | `UTC`, `Z`, `0` | UTC |
    /// | `3600`, `-18000` | seconds |
    /// | `60` under `utc_offset_minutes` | minutes |
    /// | `Europe/Berlin` | a zone of the database |
    ///
    /// Not read, because the unit is ambiguous: `60`, `-300` and `900` under a heading that names none.
    ///
    /// - Parameters:
    ///   - cell: the text, which is not empty.
    ///   - scale: the conversion of a number to seconds, where the heading gives one.
    ///   - named: finds the zone of a name.
    init?(cell: Span<UInt8>, _ scale: CSVScale?, named: ZoneNames) {
        guard cell.count <= 64 else { return nil }
        let text = cell.text(in: 0..<cell.count)
        var rest = text[...]
        for prefix in ["UTC", "GMT"] where text.uppercased().hasPrefix(prefix) { rest = rest.dropFirst(3) }
        if rest.isEmpty || text.uppercased() == "Z" {
            self = .utc
        } else if let seconds = Self.seconds(rest, scale) {
            self.init(secondsAheadOfUTC: seconds)
        } else if let zone = named(text) {
            self = zone
        } else {
            return nil
        }
    }

    /// No zone is farther from UTC.
    private static let mostHours = 14

    private static func seconds(_ text: Substring, _ scale: CSVScale?) -> Int? {
        let isSigned = text.first == "+" || text.first == "-"
        let digits = isSigned ? text.dropFirst() : text
        let factor = text.first == "-" ? -1 : 1
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2 {
            return time(hours: Int(parts[0]), minutes: Int(parts[1])).map { factor * $0 }
        }
        guard let number = Double(decimal: Array(digits.utf8).span), number >= 0 else { return nil }
        if let scale { return whole(scale.applied(to: number)).map { factor * $0 } }
        if number <= Double(mostHours), digits.utf8.count < 4 || digits.contains(".") {
            return whole(number * 3600).map { factor * $0 }
        }
        guard let count = Int(digits) else { return nil }
        if digits.count == 4, let clock = time(hours: count / 100, minutes: count % 100) {
            return isSigned || digits.first == "0" ? factor * clock : nil
        }
        return count >= 1800 && count % 900 == 0 ? whole(Double(count)).map { factor * $0 } : nil
    }

    private static func time(hours: Int?, minutes: Int?) -> Int? {
        guard let hours, let minutes, (0...mostHours).contains(hours), (0..<60).contains(minutes) else { return nil }
        return hours * 3600 + minutes * 60
    }

    private static func whole(_ seconds: Double) -> Int? {
        seconds <= Double(mostHours) * 3600 ? Int(exactly: seconds) : nil
    }
}
