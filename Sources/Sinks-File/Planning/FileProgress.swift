import TrackEngine

/// How far a file under way has come.
package struct FileProgress: Sendable, Hashable {
    /// Its name.
    package var name: TrackFileName
    /// The length in bytes up to which records are settled; ``closing`` follows.
    package var length: Int64 = 0
    /// What ends the document behind ``length``, so that it is complete at any time.
    package var closing: [UInt8] = []
    /// How many records it holds.
    package var records = 0
    /// Whether the object moved at the last of them.
    package var isMoving = false

    package init(name: TrackFileName) { self.name = name }

    /// The length of the whole document in bytes.
    package var size: Int64 { length + Int64(closing.count) }
}

// MARK: As JSON

extension FileProgress {
    /// Appends its members to those of an object that has one already.
    func write(to writer: inout JSONWriter) {
        writer.raw(#","file":"#)
        writer.string(name.part)
        writer.raw(#","length":"#)
        writer.integer(length)
        writer.raw(#","closing":"#)
        writer.string(String(decoding: closing, as: UTF8.self))
        writer.raw(#","records":"#)
        writer.integer(records)
        writer.raw(#","moving":"#)
        writer.boolean(isMoving)
    }

    /// Reads what a state says of the file under way; `nil` for what no file can be.
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
