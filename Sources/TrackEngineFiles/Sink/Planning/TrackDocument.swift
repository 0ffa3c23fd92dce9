package import TrackEngine

/// The document of the current file, as bytes to write at offsets of the file.
///
/// Each addition replaces the document's ending and adds its own, so the file is a complete document after each of
/// them. Bytes before the ending are never changed.
package struct TrackDocument: Sendable {
    /// The progress after the last addition.
    package private(set) var progress: FileProgress
    private var writer: any TrackWriter

    /// Bytes to write at an offset of the file.
    package struct Addition: Sendable, Hashable {
        /// The offset in bytes from the start of the file.
        package let offset: Int64
        /// Records and the ending, which is the end of the file.
        package let bytes: [UInt8]
        /// The number of records in it.
        package let count: Int
    }

    /// The number of bytes from which on an addition accepts no further record.
    static let additionLimit = 1 << 20

    /// A new document.
    package init(beginning name: TrackFileName) {
        progress = FileProgress(name: name)
        writer = name.format.makeWriter(namesSource: true)
    }

    /// Continues a document of at least one record that another process has written.
    package init(continuing progress: FileProgress) {
        self.progress = progress
        writer = progress.name.format.makeContinuingWriter(namesSource: true)
        // The part of the ending that closes lines and tracks stays; a new track begins after it.
        self.progress.length = progress.size - Int64(ending.count)
        self.progress.closing = ending
    }

    /// Whether the document ends in a form that another writer can continue.
    static func canContinue(_ progress: FileProgress) -> Bool {
        var (writer, ending) = (progress.name.format.makeContinuingWriter(), [UInt8]())
        writer.end(&ending)
        return progress.length > 0 && progress.closing.suffix(ending.count) == ending[...]
    }

    private var ending: [UInt8] {
        var (writer, bytes) = (writer, [UInt8]())
        writer.end(&bytes)
        return bytes
    }

    /// Adds records from the first on, as far as they belong into this file and their bytes are not too many.
    ///
    /// A document without records accepts at least one.
    package mutating func add(_ records: ArraySlice<TrackRecord>, by rule: RotationRule) -> Addition {
        let offset = progress.length
        var (bytes, count) = ([UInt8](), 0)
        if progress.records == 0 { writer.begin(&bytes) }
        for record in records {
            if progress.records > 0, rule.closes(progress, before: record) { break }
            let (oldWriter, oldCount) = (writer, bytes.count)
            writer.append(record.draft, to: &bytes)
            if rule.maximumSize != nil, progress.records > 0,
                rule.isFull(offset + Int64(bytes.count), adding: ending.count)
            {
                writer = oldWriter
                bytes.removeLast(bytes.count - oldCount)
                break
            }
            count += 1
            progress.records += 1
            progress.isMoving = record.isMoving
            if bytes.count >= Self.additionLimit { break }
        }
        progress.length = offset + Int64(bytes.count)
        progress.closing = ending
        return Addition(offset: offset, bytes: bytes + progress.closing, count: count)
    }
}
