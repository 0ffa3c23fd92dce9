import ArgumentParser
import TrackEngine
import TrackEngineReplay

/// Reads the arguments of commands that are no plain texts or numbers.
enum CommandArgument {
    /// An RFC 3339 time, `2026-03-01T10:00:00Z`, or a day, which begins at midnight UTC.
    static func time(_ text: String) throws -> Timestamp {
        guard let time = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z") else {
            throw ValidationError("expected a time such as 2026-03-01T10:00:00Z or 2026-03-01, not \"\(text)\"")
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

    /// The id of a record, a UUID.
    static func recordID(_ text: String) throws -> RecordID {
        guard let id = RecordID(text) else { throw ValidationError("expected a UUID, not \"\(text)\"") }
        return id
    }
}
