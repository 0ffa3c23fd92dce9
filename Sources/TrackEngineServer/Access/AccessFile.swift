import Encryption
public import TrackEngine
import TrackEngineSettings

/// The file with the rights to read and to send, which only its owner can read.
///
/// A change by another process, such as `trackd device add`, is seen with the next request. The file is replaced as a
/// whole: a reader sees the old list or the new one. Processes that change it wait for each other.
public final class AccessFile: Sendable {
    /// The name that servers give it, in their directories.
    package static let name = "access.json"

    /// The file's path.
    public let path: String
    private let file: EncryptedFile
    private let now: @Sendable () -> Timestamp
    private let current: SystemMutex<Current>
    /// The log of uses and changes of rights.
    package let audit: AuditLog

    private struct Current: Sendable {
        var list: AccessList
        /// The file's signature when the list was read.
        var signature: FileVersion?
    }

    /// Reads the file, or makes one with a new key for reading where there is none; its directory has to be there.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - key: the key that encrypts the file; a plain file is encrypted. `nil` keeps it in plain.
    /// - Throws: when it cannot be read or made, when others may read it, when it does not open with the key, or when
    ///   it has other contents.
    public convenience init(path: String, key: StoreKey? = nil) throws(ServerError) {
        try self.init(path: path, key: key, now: Timestamp.now)
    }

    /// Reads or makes the file, with a clock by which links and sessions end.
    package init(path: String, key: StoreKey?, now: @escaping @Sendable () -> Timestamp) throws(ServerError) {
        self.path = path
        self.now = now
        let file = EncryptedFile(path, limit: Self.maximumSize, key: key)
        self.file = file
        let read = try Self.withLock(of: path) { () throws(ServerError) in
            do throws(PrivateFileError) { try file.encrypt() } catch { throw ServerError(error) }
            var list = AccessList()
            if let (found, signature) = try Self.read(file) {
                guard found.auditKey == nil else { return Current(list: found, signature: signature) }
                let auditKey = list.auditKey  // one of an earlier release has none
                list = found
                list.auditKey = auditKey
            }
            return Current(list: list, signature: try Self.write(list, to: file))
        }
        current = SystemMutex(read)
        audit = AuditLog(in: Self.directory(of: path), key: key == nil ? nil : read.list.auditKey, now: now)
        try? audit.encrypt()  // an error must not prevent the use of the list; the next start tries again
    }

    /// The directory of the server's other files.
    var directory: String { Self.directory(of: path) }

    private static func directory(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// The key for reading, which is a part of the link that is shown to people.
    public var readingKey: AccessToken { readers.readingKey }

    /// The names of the devices that may send, in the order in which they were added.
    public var senders: [DeviceID] { readers.senders.map(\.name) }

    /// Lets a device send; returns its token, which is kept nowhere.
    ///
    /// - Parameters:
    ///   - name: the name under which its points are kept.
    ///   - isGateway: whether it sends for many devices, each under the name that a request gives.
    public func add(_ name: DeviceID, isGateway: Bool = false) throws(ServerError) -> AccessToken {
        try change { list throws(ServerError) in
            do throws(AccessList.Problem) { return try list.add(name, isGateway: isGateway) } catch {
                throw ServerError("\(name.rawValue.quoted(atMost: 64)): \(error)")
            }
        }
    }

    /// Takes the right to send from a device; returns whether it had it. Its points stay.
    public func remove(_ name: DeviceID) throws(ServerError) -> Bool {
        try change { $0.remove(name) }
    }

    /// The key with which the page may change places, correct visits and trips and delete points, made if there is
    /// none. Before the first call only named viewers with that right may edit.
    public func allowEditing() throws(ServerError) -> AccessToken {
        try change { $0.allowEditing() }
    }

    /// Revokes the key for editing; returns whether there was one.
    public func forbidEditing() throws(ServerError) -> Bool {
        try change { $0.forbidEditing() }
    }

    /// Makes other keys for reading and editing, and ends the links and sessions that they have given; those of named
    /// viewers stay.
    public func renewKeys() throws(ServerError) { try change { $0.renewKeys() } }

    /// The secret of a link that can be opened once, within an hour, and of a named viewer within a week. It goes
    /// behind `/?once=`, and is kept nowhere.
    ///
    /// - Parameters:
    ///   - viewer: the named viewer with the rights that the link gives; `nil` for the rights of the key.
    ///   - mayEdit: whether it gives the right to edit; of a named viewer the list decides.
    package func makeLink(for viewer: String? = nil, mayEdit: Bool = false) throws(ServerError) -> AccessToken {
        try change { [now] list throws(ServerError) in
            try Self.refusing(viewer) { () throws(AccessList.Problem) in
                try list.makeLink(for: viewer, mayEdit: mayEdit, now: now())
            }
        }
    }

    /// Begins a session from the secret of a link, which is used up, or from a key; `nil` for any other text.
    package func beginSession(once link: String?, key: String?) throws(ServerError) -> SessionSecret? {
        let known = readers
        // An unknown secret or key causes no write.
        guard link.map({ known.isLink($0, now: now()) }) ?? key.map({ known.isReadingKey($0) }) ?? false else {
            return nil
        }
        return try change { [now] list in
            link.map { list.redeem($0, now: now()) } ?? key.flatMap { list.beginSession(withKey: $0, now: now()) }
        }
    }

    /// Returns the present rights of a session.
    package func rights(ofSession text: String, proof: String?) -> AccessRights? {
        readers.rights(ofSession: text, proof: proof, now: now())
    }

    /// Adds a viewer.
    ///
    /// - Parameter devices: the devices that may be seen; `nil` for all.
    package func addViewer(_ name: String, mayEdit: Bool, devices: [DeviceID]?) throws(ServerError) {
        try change { list throws(ServerError) in
            try Self.refusing(name) { () throws(AccessList.Problem) in
                try list.addViewer(Viewer(name: name, mayEdit: mayEdit, devices: devices))
            }
        }
    }

    /// Removes a viewer together with the viewer's links and sessions; returns whether there was one.
    package func removeViewer(_ name: String) throws(ServerError) -> Bool { try change { $0.removeViewer(name) } }

    /// Ends the sessions with ids that begin with a text, or all; returns their number.
    package func endSessions(_ id: String?) throws(ServerError) -> Int { try change { $0.endSessions(id) } }

    /// The sessions that have not ended.
    var sessions: [BrowserAccess] {
        let now = now()
        return readers.passes.filter { $0.proof != nil && now < $0.end }
    }

    /// The number of sessions that have not ended.
    package var sessionCount: Int { sessions.count }

    private static func refusing<Result>(
        _ name: String?, _ body: () throws(AccessList.Problem) -> Result
    ) throws(ServerError) -> Result {
        do throws(AccessList.Problem) { return try body() } catch {
            throw ServerError("\(name.map { "\($0.quoted(atMost: 64)): " } ?? "")\(error)")
        }
    }

    /// The list as the file has it now; `nil` while the file cannot be read: it may have been changed to take a right
    /// away.
    var list: AccessList? {
        current.withLock { current in
            let signature = FileVersion(path)
            guard signature != current.signature else { return current.list }
            do throws(ServerError) {
                guard let (list, signature) = try Self.read(file) else { return nil }
                current = Current(list: list, signature: signature)
                return list
            } catch {
                return nil
            }
        }
    }

    /// The list for readers; while the file cannot be read, the list as it was before.
    var readers: AccessList { list ?? current.withLock { $0.list } }

    private func change<Result: Sendable>(
        _ body: (inout AccessList) throws(ServerError) -> Result
    ) throws(ServerError) -> Result {
        try current.withLock { current throws(ServerError) in
            let (changed, result) = try Self.withLock(of: path) { () throws(ServerError) -> (Current, Result) in
                // Another process may have changed it since.
                var list = try Self.read(file)?.0 ?? current.list
                let result = try body(&list)
                return (Current(list: list, signature: try Self.write(list, to: file)), result)
            }
            current = changed
            return result
        }
    }
}

// MARK: - On the disk

/// The attributes that distinguish two versions of a file: a replacement has another number.
struct FileVersion: Sendable, Hashable {
    let number: UInt64
    let size: Int64
    let modified: Timestamp
    /// It changes with the permissions, too.
    let changed: Timestamp

    init?(_ path: String) {
        guard let status = FileStatus.following(path) else { return nil }
        self.init(status)
    }

    init(_ status: FileStatus) {
        (number, size) = (UInt64(status.identity.number), status.size)
        (modified, changed) = (status.modified, status.changed)
    }
}

extension AccessFile {
    /// The largest file: 10,000 devices take two megabytes.
    private static let maximumSize = 4 << 20

    /// Holds a lock that excludes changes by other processes.
    private static func withLock<Result>(
        of path: String, _ body: () throws(ServerError) -> Result
    ) throws(ServerError) -> Result {
        let lock: FileLock
        do throws(PrivateFileError) { lock = try PrivateFile.lock(path) } catch { throw ServerError(error) }
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    /// The list in a file, or `nil` where there is none.
    private static func read(_ file: EncryptedFile) throws(ServerError) -> (AccessList, FileVersion)? {
        let kept: (bytes: [UInt8], status: FileStatus)?
        do throws(PrivateFileError) { kept = try file.read() } catch {
            throw ServerError(error)
        }
        guard let (bytes, status) = kept else { return nil }
        do throws(AccessList.Problem) { return (try AccessList(bytes), FileVersion(status)) } catch {
            throw ServerError("\(file.path): \(error)")
        }
    }

    private static func write(_ list: AccessList, to file: EncryptedFile) throws(ServerError) -> FileVersion {
        do throws(PrivateFileError) { return FileVersion(try file.replace(with: list.json)) } catch {
            throw ServerError(error)
        }
    }
}
