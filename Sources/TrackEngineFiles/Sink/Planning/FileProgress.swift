import TrackEngine

/// The progress of the current file.
package struct FileProgress: Sendable, Hashable {
    package var name: TrackFileName
    /// The length in bytes up to which records are settled; ``closing`` follows.
    package var length: Int64 = 0
    /// The end of the document, written after ``length`` so that the document is complete at any time.
    package var closing: [UInt8] = []
    /// The number of records in the file.
    package var records = 0
    /// Whether the object moved at the last record.
    package var isMoving = false

    package init(name: TrackFileName) { self.name = name }

    /// The length of the whole document in bytes.
    package var size: Int64 { length + Int64(closing.count) }
}

// MARK: JSON

extension FileProgress {
    /// Appends its members to an object that has at least one already.
    func write(to writer: inout JSONWriter) {
        writer.member(#","file":"#, name.part)
        writer.member(#","length":"#, length)
        writer.member(#","closing":"#, String(decoding: closing, as: UTF8.self))
        writer.member(#","records":"#, records)
        writer.member(#","moving":"#, isMoving)
    }

    /// Parses the progress in a state; `nil` for one that no file can have.
    init?(_ json: JSONValue) {
        guard let name = json["file"]?.string.flatMap(TrackFileName.init(part:)),
            let length = json["length"]?.number.flatMap(Int64.init(exactly:)), (0...1 << 53).contains(length),
            let closing = json["closing"]?.string,
            let records = json["records"]?.number.flatMap(Int.init(exactly:)), (0...1 << 53).contains(records),
            let isMoving = json["moving"]?.boolean
        else { return nil }
        self.init(name: name)
        self.length = length
        self.closing = Array(closing.utf8)
        self.records = records
        self.isMoving = isMoving
        guard records == 0 || TrackDocument.canContinue(self) else { return nil }
    }
}
