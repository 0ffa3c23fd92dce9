import Glibc

/// A small file that only its owner can read. It is replaced as a whole: a reader sees either the old or the new
/// contents.
package enum PrivateFile {
    /// Reads a file's bytes, with its status to distinguish it from later versions; `nil` if there is no file.
    package static func read(_ path: String, atMost limit: Int) throws(PrivateFileError) -> (
        bytes: [UInt8], status: FileStatus
    )? {
        guard let (file, status) = try opened(path) else { return nil }
        let bytes = try bytes(of: file, path, atMost: limit)
        guard bytes.count <= limit else { throw PrivateFileError("\(path): expected at most \(limit) bytes") }
        return (bytes, status)
    }

    /// Reads the last bytes of a file of any size, and whether there are others before them; `nil` if there is no file.
    package static func readEnd(_ path: String, atMost limit: Int) throws(PrivateFileError) -> (
        bytes: [UInt8], isCut: Bool
    )? {
        guard let (file, status) = try opened(path) else { return nil }
        let start = max(0, status.size - Int64(limit))
        guard lseek(file.raw, off_t(start), SEEK_SET) >= 0 else {
            throw PrivateFileError(SystemError("cannot read \(path)"))
        }
        // More may have been appended since.
        return (Array(try bytes(of: file, path, atMost: limit).prefix(limit)), start > 0)
    }

    /// Opens a file that its owner alone may read; `nil` if there is no file.
    private static func opened(_ path: String) throws(PrivateFileError) -> (file: Descriptor, status: FileStatus)? {
        guard let entry = try entryIfPresent(path) else { return nil }
        guard let file = entry.open(O_RDONLY | O_NONBLOCK) else {
            if errno == ENOENT { return nil }
            throw PrivateFileError(SystemError("cannot read \(path)"))
        }
        guard let status = file.status, status.kind == .regular else {
            throw PrivateFileError("\(path): expected a file")
        }
        guard status.isPrivate, geteuid() == 0 || status.owner == 0 || status.isOwn else {
            throw PrivateFileError("\(path): expected a file that its owner alone may read; chmod 600 makes it one")
        }
        return (file, status)
    }

    private static func bytes(
        of file: Descriptor, _ path: String, atMost limit: Int
    ) throws(PrivateFileError) -> [UInt8] {
        guard let bytes = file.contents(atMost: limit) else {
            throw PrivateFileError(SystemError("cannot read \(path)"))
        }
        return bytes
    }

    /// Replaces the file, through to the disk. Only one caller at a time.
    @discardableResult
    package static func replace(_ path: String, with bytes: [UInt8]) throws(PrivateFileError) -> FileStatus {
        let (entry, temporary) = (try entry(path), ".new")
        entry.remove(adding: temporary)  // remains of an interrupted change; there is one caller at a time
        do throws(DirectoryEntry.ReplacementError) {
            let status = try entry.place(bytes, as: temporary)
            entry.sync()
            return status
        } catch {
            let action =
                switch error.step {
                case .create: "make \(path)\(temporary)"
                case .write: "write \(path)\(temporary)"
                case .place: "replace \(path)"
                }
            throw PrivateFileError(SystemError("cannot \(action)", code: error.code))
        }
    }

    /// The suffix of the name of a file that was set aside.
    package static let asideSuffix = ".unreadable"

    /// Renames an unreadable file for later inspection.
    package static func setAside(_ path: String) throws(PrivateFileError) {
        guard try entry(path).rename(to: asideSuffix) else {
            throw PrivateFileError(SystemError("cannot rename \(path)"))
        }
    }

    /// Gives an unreadable file a second name for later inspection, so that it remains when the first is replaced.
    package static func keepAside(_ path: String) throws(PrivateFileError) {
        guard !isSame(path, path + asideSuffix) else { return }  // left by an interrupted change
        try entry(path).remove(adding: asideSuffix)
        try link(path, adding: asideSuffix)
    }

    /// Whether a file with that name was set aside.
    package static func isSetAside(_ name: String) -> Bool { name.hasSuffix(asideSuffix) }

    /// The entry of the file in its directory.
    static func entry(_ path: String) throws(PrivateFileError) -> DirectoryEntry {
        do throws(SystemError) { return try DirectoryEntry(path) } catch { throw PrivateFileError(error) }
    }

    /// The entry of the file; `nil` if there is no directory.
    static func entryIfPresent(_ path: String) throws(PrivateFileError) -> DirectoryEntry? {
        do throws(SystemError) { return try DirectoryEntry(path) } catch {
            if error.code == ENOENT { return nil }
            throw PrivateFileError(error)
        }
    }

    /// Keeps other processes from changing the file while the lock is held; waits for a process that has it.
    package static func lock(_ path: String) throws(PrivateFileError) -> FileLock {
        guard let lock = try lock(path, waits: true) else { throw PrivateFileError("cannot lock \(path).lock") }
        return lock
    }

    /// Locks the file, waiting for half a second at most; `nil` if another process, or another caller in this one,
    /// holds the lock.
    ///
    /// The lock of a process that was killed stays held for a moment by a program that it was just starting. That one
    /// has the descriptor until `exec` replaces the process image (`flock(2)`: the lock belongs to the open file).
    package static func lockUnlessTaken(_ path: String) throws(PrivateFileError) -> FileLock? {
        for _ in 0..<20 {
            if let lock = try lock(path, waits: false) { return lock }
            _ = poll(nil, 0, 25)
        }
        return nil
    }

    private static func lock(_ path: String, waits: Bool) throws(PrivateFileError) -> FileLock? {
        guard let file = try entry(path).openOrCreate(O_RDWR | O_NONBLOCK, adding: ".lock") else {
            throw PrivateFileError(SystemError("cannot make \(path).lock"))
        }
        if let lock = FileLock.take(file, waits: waits) { return lock }
        guard errno == EWOULDBLOCK else { throw PrivateFileError(SystemError("cannot lock \(path).lock")) }
        return nil
    }

    /// Creates the directory for a private file, accessible only to its owner, if it is missing. Its parent must
    /// exist. A directory created by root belongs to the owner of the parent, which is the user of the agent.
    package static func makeDirectory(_ path: String) throws(PrivateFileError) {
        guard let entry = try entryIfPresent(path) else {
            let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            throw PrivateFileError("\(parent): expected the directory that the agent makes at its first start")
        }
        guard entry.makeDirectory() || errno == EEXIST else {
            throw PrivateFileError(SystemError("cannot make \(path)"))
        }
    }
}

/// The reason why a private file cannot be read or replaced, in words for people.
package struct PrivateFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
    /// Whether the file is encrypted and its key is missing or wrong.
    package let isWrongKey: Bool

    /// Creates an error from its description.
    package init(_ description: String, isWrongKey: Bool = false) {
        self.description = description
        self.isWrongKey = isWrongKey
    }

    init(_ error: SystemError) { self.init(error.description) }
}
