package import TrackEngine

/// When a new file begins.
package struct RotationRule: Sendable, Hashable {
    /// What a file covers.
    package var rotation: FileSink.Rotation
    /// How many bytes a file may have before compression; `nil` for any number.
    package var maximumSize: Int64?

    package init(_ rotation: FileSink.Rotation, maximumSize: Int64? = nil) {
        self.rotation = rotation
        self.maximumSize = maximumSize
    }

    /// What the name of a file says that begins with this record; time zones and the machine's clock do not matter.
    package func start(of record: TrackRecord) -> String {
        let text = record.fix.time.rfc3339(.seconds)
        switch rotation {
        case .day: return String(text.prefix(10))
        case .hour: return text.prefix(13) + "Z"
        case .trip, .size: return String(text.filter { $0 != ":" })
        }
    }

    /// Whether a file ends before this record, whatever its size.
    ///
    /// By hours and days it is the fix's time that decides, in both directions: a late record gets a file of its own. A
    /// trip ends where the object comes to rest; what is recorded there until it moves again is part of it.
    package func closes(_ file: FileProgress, before record: TrackRecord) -> Bool {
        switch rotation {
        case .day, .hour: file.name.start != start(of: record)
        case .trip: !file.isMoving && record.isMoving
        case .size: false
        }
    }

    /// Whether a file of at least one record has no room for more bytes.
    package func isFull(_ size: Int64, adding more: Int) -> Bool {
        maximumSize.map { size + Int64(more) > $0 } ?? false
    }
}
