import TrackEngine
package import TrackEngineSettings

/// What the sink can say about its files.
package struct FileSinkStatus: Sendable, Hashable {
    /// The name of the file under way; `nil` between two files and before the first delivery.
    package var file: String?
    /// The records in it.
    package var records = 0
    /// Its bytes.
    package var bytes: Int64 = 0
    /// How many files have been finished since the sink was made.
    package var finishedFiles = 0
    /// How many finished files the directory has; `nil` until somebody has looked.
    package var keptFiles: Int?
    /// Their bytes.
    package var keptBytes: Int64 = 0
    /// How many files have gone since the sink was made, because they were too old or too many.
    package var removedFiles = 0
    /// Those that should have gone the last time and could not be removed.
    package var unremovable: UnremovableFiles?

    package init() {}

    /// Shows the file under way.
    mutating func show(_ progress: FileProgress?) {
        file = progress?.name.part
        records = progress?.records ?? 0
        bytes = progress?.size ?? 0
    }

    /// The facts for programs and people.
    package var items: [StatusItem] {
        var items: [StatusItem] = []
        if let file {
            items.append(StatusItem("file", .text(file), text: file))
            items.append(StatusItem("records", .count(records), text: "\(records.counted("record")) in it"))
            items.append(StatusItem("bytes", .count(Int(bytes)), text: bytes.asBytes))
        }
        if let keptFiles {
            items.append(StatusItem("keptFiles", .count(keptFiles), text: "\(keptFiles.counted("finished file"))"))
            items.append(StatusItem("keptBytes", .count(Int(keptBytes)), text: keptBytes.asBytes, tone: .faint))
        }
        items.append(StatusItem("finishedFiles", .count(finishedFiles)))
        items.append(StatusItem("removedFiles", .count(removedFiles)))
        if let unremovable {
            items.append(StatusItem("unremovableFiles", .count(unremovable.count)))
            items.append(
                StatusItem("unremovableFile", .text(unremovable.name), text: unremovable.text, tone: .warning))
        }
        return items
    }
}
