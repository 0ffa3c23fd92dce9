import TrackEngine
package import TrackEngineSettings

/// The status of the sink's files.
package struct FileSinkStatus: Sendable, Hashable {
    /// The name of the current file; `nil` between two files and before the first delivery.
    package var file: String?
    /// The number of records in the current file.
    package var records = 0
    /// The size of the current file, in bytes.
    package var bytes: Int64 = 0
    /// The number of files finished since the sink was made.
    package var finishedFiles = 0
    /// The number of finished files in the directory; `nil` before the first check.
    package var keptFiles: Int?
    /// The total size of the finished files, in bytes.
    package var keptBytes: Int64 = 0
    /// The number of files removed since the sink was made, because they were too old or too large in total.
    package var removedFiles = 0
    /// Files that the last check could not remove.
    package var unremovable: RetentionError?

    package init() {}

    /// Shows the current file.
    mutating func show(_ progress: FileProgress?) {
        file = progress?.name.part
        records = progress?.records ?? 0
        bytes = progress?.size ?? 0
    }

    /// The status items for programs and people.
    package var items: [StatusField] {
        var items: [StatusField] = []
        if let file {
            items.append(StatusField("file", .text(file), text: file))
            items.append(StatusField("records", .count(records), text: "\(records.counted("record")) in it"))
            items.append(StatusField("bytes", .count(Int(bytes)), text: bytes.asBytes))
        }
        if let keptFiles {
            items.append(StatusField("keptFiles", .count(keptFiles), text: "\(keptFiles.counted("finished file"))"))
            items.append(StatusField("keptBytes", .count(Int(keptBytes)), text: keptBytes.asBytes, tone: .faint))
        }
        items.append(StatusField("finishedFiles", .count(finishedFiles)))
        items.append(StatusField("removedFiles", .count(removedFiles)))
        if let unremovable {
            items.append(StatusField("unremovableFiles", .count(unremovable.count)))
            items.append(
                StatusField("unremovableFile", .text(unremovable.name), text: unremovable.text, tone: .warning))
        }
        return items
    }
}
