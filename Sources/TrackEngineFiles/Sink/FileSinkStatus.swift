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
    package var unremovable: UnremovableFiles?

    package init() {}

    /// Shows the current file.
    mutating func show(_ progress: FileProgress?) {
        file = progress?.name.part
        records = progress?.records ?? 0
        bytes = progress?.size ?? 0
    }

    /// The status items for programs and people.
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
