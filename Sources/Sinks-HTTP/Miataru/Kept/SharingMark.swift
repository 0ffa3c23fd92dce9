import Encryption
package import TrackEngine
import TrackEngineSettings

/// The saved state of a sink's position at the server: whether the server has one, and the time of the last deletion
/// that a user requested. It is kept in the agent's state directory, `miataru/NAME.shared.json`.
package struct SharingMark: Sendable, Hashable {
    /// Whether a position was delivered since the last deletion.
    package var isShared = false
    /// The time of the last request to delete everything; positions up to that time are not sent.
    package var deleted: Timestamp?
    /// The number of records from before the deletion that were settled without being sent.
    package var withheld = 0
    /// The last of these records, so a record that is settled twice counts once.
    var withheldThrough = RecordSequence.zero

    package init(deleted: Timestamp? = nil) { self.deleted = deleted }

    /// Whether a position of this time falls under the deletion.
    package func covers(_ time: Timestamp) -> Bool { deleted.map { time <= $0 } ?? false }

    /// Counts records that were not sent.
    package mutating func withhold(_ records: [TrackRecord]) {
        for record in records where record.sequence > withheldThrough {
            withheld += 1
            withheldThrough = record.sequence
        }
    }

    /// Whether the sink may send a position of this time on its own initiative.
    package func permits(_ time: Timestamp) -> Bool { isShared && !covers(time) }
}

/// The file of a ``SharingMark``; without a directory no mark is saved.
package struct SharingMarkFile: Sendable {
    private let directory: String?
    private let name: SinkID
    private let key: StoreKey?
    private static let limit = 4096

    /// The file of a sink.
    ///
    /// - Parameter key: the key that encrypts the file; `nil` where the store is not encrypted.
    package init(of name: SinkID, in stateDirectory: String?, key: StoreKey? = nil) {
        directory = stateDirectory.map { $0 + "/miataru" }
        self.name = name
        self.key = key
    }

    private var file: EncryptedFile? {
        directory.map { EncryptedFile("\($0)/\(name).shared.json", limit: Self.limit, key: key) }
    }

    /// The saved mark; `nil` if there is none or it cannot be read.
    package func read() -> SharingMark? { try? readOrFail() }

    /// The saved mark; `nil` if there is none.
    ///
    /// - Throws: if the file cannot be read. Sending a position then might send one that a user wanted deleted.
    func readOrFail() throws(PrivateFileError) -> SharingMark? {
        guard let file, let (bytes, _) = try file.read() else { return nil }
        guard let json = JSONValue(ifReadable: bytes, maximumDepth: 2), json.members != nil else {
            throw PrivateFileError("\(file.path): expected a JSON object; `trackd miataru delete` writes a new one")
        }
        var mark = SharingMark()
        mark.isShared = json["shared"]?.boolean ?? false
        if let deleted = json["deleted"]?.string {
            guard let time = Timestamp(rfc3339: deleted) else {
                throw PrivateFileError("\(file.path): expected a time in 'deleted'")
            }
            mark.deleted = time
        }
        mark.withheld = json["withheld"]?.number.flatMap { Int(exactly: $0) } ?? 0
        let last = json["withheldThrough"]?.number.flatMap { Int64(exactly: $0) }
        mark.withheldThrough = RecordSequence(rawValue: last ?? 0)
        return mark
    }

    /// Changes the saved mark, through to the disk.
    package func change(_ body: (inout SharingMark) -> Void) throws(PrivateFileError) {
        try locked { file throws(PrivateFileError) in
            let before = try readOrFail() ?? SharingMark()
            var mark = before
            body(&mark)
            if mark != before { _ = try file.replace(with: mark.json) }
        }
    }

    /// Replaces the saved mark, through to the disk, without reading the file.
    package func replace(with mark: SharingMark) throws(PrivateFileError) {
        try locked { file throws(PrivateFileError) in _ = try file.replace(with: mark.json) }
    }

    private func locked(_ body: (EncryptedFile) throws(PrivateFileError) -> Void) throws(PrivateFileError) {
        guard let directory, let file else { return }
        try PrivateFile.makeDirectory(directory)
        let lock = try PrivateFile.lock(file.path)
        defer { withExtendedLifetime(lock) {} }
        try body(file)
    }
}

extension SharingMark {
    /// The contents of the file.
    fileprivate var json: [UInt8] {
        var members = [JSONValue.Member("shared", .boolean(isShared))]
        if let deleted { members.append(.init("deleted", .string(deleted.rfc3339(.nanoseconds)))) }
        if withheld > 0 {
            members.append(.init("withheld", .number(Double(withheld))))
            members.append(.init("withheldThrough", .number(Double(withheldThrough.rawValue))))
        }
        return JSONValue.object(members).bytes + [UInt8(ascii: "\n")]
    }
}
