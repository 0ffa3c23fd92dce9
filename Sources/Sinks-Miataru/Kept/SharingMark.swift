import SealedFiles
package import TrackEngine
package import TrackEngineSettings

/// What a sink knows of its place at the server across restarts: whether it has one there, and from when on somebody wanted
/// nothing of it there any more. Kept in the agent's state directory, `miataru/NAME.shared.json`.
package struct SharingMark: Sendable, Hashable {
    /// Whether a place was delivered since the last deletion.
    package var isShared = false
    /// When the server was last asked to delete everything; what is older is not sent again.
    package var deleted: Timestamp?

    package init(deleted: Timestamp? = nil) { self.deleted = deleted }

    /// Whether a place of this time may be sent by the sink itself.
    package func permits(_ time: Timestamp) -> Bool { isShared && deleted.map { time > $0 } ?? true }
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

    private var file: SealedFile? { directory.map { SealedFile("\($0)/\(name).shared.json", key: key) } }

    /// What is kept; `nil` where nothing is, or nothing can be.
    package func read() -> SharingMark? {
        guard let file, let (bytes, _) = try? file.read(atMost: Self.limit),
            let json = JSONValue(ifReadable: bytes, maximumDepth: 2)
        else { return nil }
        var mark = SharingMark()
        mark.isShared = json["shared"]?.boolean ?? false
        mark.deleted = json["deleted"]?.string.flatMap { Timestamp(rfc3339: $0) }
        return mark
    }

    /// Changes what is kept, through to the disk.
    package func change(_ body: (inout SharingMark) -> Void) throws(PrivateFileError) {
        guard let directory, let file else { return }
        try PrivateFile.makeDirectory(directory)
        let lock = try PrivateFile.lock(file.path)
        defer { withExtendedLifetime(lock) {} }
        let before = read() ?? SharingMark()
        var mark = before
        body(&mark)
        guard mark != before else { return }
        var members = [JSONValue.Member("shared", .boolean(mark.isShared))]
        if let deleted = mark.deleted { members.append(.init("deleted", .string(deleted.rfc3339()))) }
        var writer = JSONWriter()
        JSONValue.object(members).write(to: &writer)
        try file.replace(with: writer.bytes + [UInt8(ascii: "\n")])
    }
}
