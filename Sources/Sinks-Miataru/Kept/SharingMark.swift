import SealedFiles
package import TrackEngine
package import TrackEngineSettings

/// What a sink knows of its place at the server across restarts: whether it has one there, and from when on somebody wanted
/// nothing of it there any more. Kept in the agent's state directory, `miataru/NAME.shared.json`.
package struct SharingMark: Sendable, Hashable {
    /// Whether a place was delivered since the last deletion.
    package var isShared = false
    /// When the server was last asked to delete everything; what is older is not sent.
    package var deleted: Timestamp?
    /// How many records from before the deletion were settled without being sent.
    package var withheld = 0
    /// The last of them: a record that is settled twice counts once.
    package var withheldThrough = RecordSequence.zero

    package init(deleted: Timestamp? = nil) { self.deleted = deleted }

    /// Whether a place of this time is one that somebody wanted deleted.
    package func covers(_ time: Timestamp) -> Bool { deleted.map { time <= $0 } ?? false }

    /// Counts records that were not sent.
    package mutating func withhold(_ records: [TrackRecord]) {
        for record in records where record.sequence > withheldThrough {
            withheld += 1
            withheldThrough = record.sequence
        }
    }

    /// Whether a place of this time may be sent by the sink itself.
    package func permits(_ time: Timestamp) -> Bool { isShared && !covers(time) }
}

/// The file of a ``SharingMark``; without a directory nothing is kept.
package struct SharingMarkFile: Sendable {
    private let directory: String?
    private let name: SinkID
    private let key: StoreKey?
    private static let limit = 4096

    /// The file of a sink.
    ///
    /// - Parameter key: what it is encrypted under; `nil` where the store is in plain.
    package init(of name: SinkID, in stateDirectory: String?, key: StoreKey? = nil) {
        directory = stateDirectory.map { $0 + "/miataru" }
        self.name = name
        self.key = key
    }

    private var file: SealedFile? {
        directory.map { SealedFile("\($0)/\(name).shared.json", limit: Self.limit, key: key) }
    }

    /// What is kept; `nil` where nothing is, or nothing can be.
    package func read() -> SharingMark? { try? readOrFail() }

    /// What is kept; `nil` where nothing is.
    ///
    /// - Throws: that there is a file which cannot be read. Whoever sends a place then may send what somebody wanted deleted.
    package func readOrFail() throws(PrivateFileError) -> SharingMark? {
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

    /// Changes what is kept, through to the disk.
    package func change(_ body: (inout SharingMark) -> Void) throws(PrivateFileError) {
        try locked { file throws(PrivateFileError) in
            let before = try readOrFail() ?? SharingMark()
            var mark = before
            body(&mark)
            if mark != before { _ = try file.replace(with: mark.json) }
        }
    }

    /// Puts another one in its place, through to the disk, whatever the file holds.
    package func replace(with mark: SharingMark) throws(PrivateFileError) {
        try locked { file throws(PrivateFileError) in _ = try file.replace(with: mark.json) }
    }

    private func locked(_ body: (SealedFile) throws(PrivateFileError) -> Void) throws(PrivateFileError) {
        guard let directory, let file else { return }
        try PrivateFile.makeDirectory(directory)
        let lock = try PrivateFile.lock(file.path)
        defer { withExtendedLifetime(lock) {} }
        try body(file)
    }
}

extension SharingMark {
    /// As it stands in its file.
    fileprivate var json: [UInt8] {
        var members = [JSONValue.Member("shared", .boolean(isShared))]
        if let deleted { members.append(.init("deleted", .string(deleted.rfc3339(.nanoseconds)))) }
        if withheld > 0 {
            members.append(.init("withheld", .number(Double(withheld))))
            members.append(.init("withheldThrough", .number(Double(withheldThrough.rawValue))))
        }
        var writer = JSONWriter()
        JSONValue.object(members).write(to: &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
