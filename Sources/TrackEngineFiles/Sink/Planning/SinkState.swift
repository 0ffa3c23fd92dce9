internal import CZlib
package import TrackEngine

/// The sink's knowledge of its directory across restarts, saved in a file that is replaced as a whole.
package struct SinkState: Sendable, Hashable {
    /// The state of the current file.
    package enum File: Sendable, Hashable {
        /// There is no current file; the next record begins one.
        case none
        /// A file is being written. Bytes after its settled length must be cut off.
        case writing(FileProgress)
        /// A file is complete and gets its final name, which was free. Once the final file exists, the current file
        /// may be removed.
        case finishing(FileProgress, as: String)
    }

    /// The state of the current file.
    package var file: File
    /// The records of the last delivery that are settled in files; the store may deliver them again.
    package var recent: [RecordID]

    package init(file: File = .none, recent: [RecordID] = []) {
        self.file = file
        self.recent = recent
    }

    /// The most records in ``recent``, which limits the records that a delivery settles.
    package static let maximumRecords = 10_000
    /// The largest state, in bytes: ``maximumRecords`` at 39 bytes each, and the file.
    package static let maximumSize = 512 * 1024
}

// MARK: JSON

extension SinkState {
    /// The state as one JSON object on a line, and the checksum of that line on another.
    package var bytes: [UInt8] { Self.sealed(json) }

    /// A line followed by its CRC-32 in hexadecimal: a digit changed by a bad disk would cut a file short.
    package static func sealed(_ line: [UInt8]) -> [UInt8] {
        let sum = String(crc32(0, line, UInt32(line.count)), radix: 16)
        return line + Array(sum.utf8) + [UInt8(ascii: "\n")]
    }

    private var json: [UInt8] {
        var writer = JSONWriter(capacity: 256 + recent.count * 39)
        writer.raw(#"{"version":1"#)
        switch file {
        case .none: break
        case .writing(let progress): progress.write(to: &writer)
        case .finishing(let progress, let name):
            progress.write(to: &writer)
            writer.member(#","finishing":"#, name)
        }
        writer.raw(#","recent":"#)
        writer.array(recent) { $0.recordID($1) }
        writer.raw("}\n")
        return writer.bytes
    }

    /// Parses a state; `nil` for bytes other than those of ``bytes``.
    package init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), Self.sealed(Array(bytes[...end])) == bytes else {
            return nil
        }
        guard let json = JSONValue(ifReadable: bytes[..<end], maximumDepth: 3), json["version"]?.number == 1,
            let recent = json["recent"]?.array
        else { return nil }
        let ids = recent.compactMap { $0.string.flatMap(RecordID.init) }
        guard ids.count == recent.count, let file = Self.file(json) else { return nil }
        self.init(file: file, recent: ids)
    }

    private static func file(_ json: JSONValue) -> File? {
        guard json["file"] != nil else { return File.none }
        guard let progress = FileProgress(json) else { return nil }
        guard let final = json["finishing"] else { return .writing(progress) }
        guard let name = final.string, TrackFileName(finished: name) != nil else { return nil }
        return .finishing(progress, as: name)
    }
}
