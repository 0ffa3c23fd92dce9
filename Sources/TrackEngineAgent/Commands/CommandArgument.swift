import ArgumentParser
import TrackEngine
import TrackEngineFiles
import TrackEngineSettings

/// Reads the arguments of commands that are not plain texts or numbers.
enum CommandArgument {
    /// An RFC 3339 time, `2026-03-01T10:00:00Z`, or a day, which begins at midnight UTC.
    static func time(_ text: String) throws -> Timestamp {
        guard let time = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z") else {
            throw ValidationError("expected a time such as 2026-03-01T10:00:00Z or 2026-03-01, not \"\(text)\"")
        }
        return time
    }

    /// A day, which begins at midnight UTC.
    static func day(_ text: String) throws -> Timestamp {
        guard let time = ReplayOptions.startDate(text) else {
            throw ValidationError("expected \(ReplayOptions.dayForm), not \"\(text)\"")
        }
        return time
    }

    /// The name of a format of recorded files.
    static func replayFormat(_ text: String) throws -> ReplayFormat {
        guard let format = ReplayFormat(name: text) else {
            let names = ReplayFormat.allCases.map(\.name).joined(separator: ", ")
            throw ValidationError("expected one of \(names), not \"\(text)\"")
        }
        return format
    }

    /// The zone of times without one.
    static func timeZone(_ text: String) throws -> ZoneOffsetTable {
        guard let zone = ZoneOffsetTable(name: text) else {
            throw ValidationError("expected \(ZoneOffsetTable.nameExpectation), not \"\(text)\"")
        }
        return zone
    }

    /// The word for a means of travel.
    static func tripMode(_ text: String) throws -> TripMode {
        guard let mode = TripMode(name: text) else {
            throw ValidationError("expected one of \(TripMode.allCases.map(\.name).inWords), not \"\(text)\"")
        }
        return mode
    }

    /// A position, `latitude,longitude` in degrees.
    static func coordinate(_ text: String) throws -> Coordinate {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.drop { $0 == " " })
        }
        if parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            Coordinate(latitude: latitude, longitude: longitude).isValid
        {
            return Coordinate(latitude: latitude, longitude: longitude)
        }
        throw ValidationError("expected a position such as 52.52,13.405, not \"\(text)\"")
    }

    /// The id of a record, a UUID.
    static func recordID(_ text: String) throws -> RecordID {
        guard let id = RecordID(text) else { throw ValidationError("expected a UUID, not \"\(text)\"") }
        return id
    }
}

/// A duration on the command line: `90`, `90s`, `15m`, `2h`, `1.5h` or `7d`; a bare number is seconds.
package struct DurationArgument: Sendable, Hashable {
    /// The duration itself, over zero and at most a hundred years.
    package let duration: Duration

    /// Reads a duration; `nil` for any other text.
    package init?(argument: String) {
        guard let duration = Duration(written: argument), duration > .zero else { return nil }
        self.duration = duration
    }

    /// A number of seconds.
    package init(seconds: Int) {
        duration = .seconds(seconds)
    }
}

extension DurationArgument: ExpressibleByArgument {
    var defaultValueDescription: String { "\(duration.components.seconds) s" }
}
