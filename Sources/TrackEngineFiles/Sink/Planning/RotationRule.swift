package import TrackEngine

/// The rule for the start of a new file.
package struct RotationRule: Sendable, Hashable {
    /// The span of a file.
    package var rotation: FileSink.Rotation
    /// The most bytes of a file before compression; `nil` for any number.
    package var maximumSize: Int64?

    package init(_ rotation: FileSink.Rotation, maximumSize: Int64? = nil) {
        self.rotation = rotation
        self.maximumSize = maximumSize
    }

    /// The start in the name of a file that begins with this record; it does not depend on time zones and the
    /// machine's clock.
    package func start(of record: TrackRecord) -> String {
        let text = record.fix.time.rfc3339(.seconds)
        switch rotation {
        case .day: return String(text.prefix(10))
        case .hour: return text.prefix(13) + "Z"
        case .trip, .size: return String(text.filter { $0 != ":" })
        }
    }

    /// Whether a file ends before this record, regardless of its size.
    ///
    /// For hours and days the fix's time decides, in both directions: a late record gets a file of its own. A trip
    /// ends where the object comes to rest, and includes the records made until it moves again.
    package func closes(_ file: FileProgress, before record: TrackRecord) -> Bool {
        switch rotation {
        case .day, .hour: file.name.start != start(of: record)
        case .trip: !file.isMoving && record.isMoving
        case .size: false
        }
    }

    /// Whether a file with at least one record has no room for more bytes.
    package func isFull(_ size: Int64, adding more: Int) -> Bool {
        maximumSize.map { size + Int64(more) > $0 } ?? false
    }
}
