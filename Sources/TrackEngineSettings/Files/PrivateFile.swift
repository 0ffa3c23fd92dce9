package import Glibc
package import TrackEngine

/// A small file that only its owner can read. It is replaced as a whole: a reader sees either the old or the new
/// contents.
package enum PrivateFile {
    /// Reads a file's bytes, with its status to distinguish it from later versions; `nil` if there is no file.
    package static func read(_ path: String, atMost limit: Int) throws(PrivateFileError) -> (
        bytes: [UInt8], status: stat
    )? {
        guard let entry = try entryIfPresent(path) else { return nil }
        let raw = entry.open(O_RDONLY | O_NONBLOCK)
        guard raw >= 0 else {
            if errno == ENOENT { return nil }
            throw PrivateFileError(SystemError("cannot read \(path)"))
        }
        let file = Descriptor(owning: raw)
        var status = stat()
        guard fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PrivateFileError("\(path): expected a file")
        }
        guard status.st_mode & 0o077 == 0, geteuid() == 0 || [0, geteuid()].contains(status.st_uid) else {
            throw PrivateFileError("\(path): expected a file that its owner alone may read; chmod 600 makes it one")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = Glibc.read(file.raw, &buffer, buffer.count)
            guard count >= 0 else { throw PrivateFileError(SystemError("cannot read \(path)")) }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        guard bytes.count <= limit else { throw PrivateFileError("\(path): expected at most \(limit) bytes") }
        return (bytes, status)
    }

    /// Replaces the file, through to the disk. Only one caller at a time.
    @discardableResult
    package static func replace(_ path: String, with bytes: [UInt8]) throws(PrivateFileError) -> stat {
        let (entry, temporary) = (try entry(path), ".new")
        entry.remove(adding: temporary)  // remains of an interrupted change; there is one caller at a time
        let raw = entry.open(O_WRONLY | O_CREAT | O_EXCL, adding: temporary)
        guard raw >= 0 else { throw PrivateFileError(SystemError("cannot make \(path)\(temporary)")) }
        let file = Descriptor(owning: raw)
        entry.giveToOwner(file.raw)
        var status = stat()
        guard Glibc.write(file.raw, bytes, bytes.count) == bytes.count, fsync(file.raw) == 0,
            fstat(file.raw, &status) == 0
        else { throw PrivateFileError(SystemError("cannot write \(path)\(temporary)")) }
        guard entry.rename(adding: temporary, to: "") else {
            throw PrivateFileError(SystemError("cannot replace \(path)"))
        }
        entry.sync()
        return status
    }

    /// The suffix of the name of a file that was set aside.
    package static let asideSuffix = ".unreadable"

    /// Renames an unreadable file for later inspection.
    package static func setAside(_ path: String) throws(PrivateFileError) {
        guard try entry(path).rename(to: asideSuffix) else {
            throw PrivateFileError(SystemError("cannot rename \(path)"))
        }
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
    package static func lock(_ path: String) throws(PrivateFileError) -> Descriptor {
        guard let lock = try lock(path, LOCK_EX) else { throw PrivateFileError("cannot lock \(path).lock") }
        return lock
    }

    /// Locks the file, waiting for half a second at most; `nil` if another process, or another caller in this one,
    /// holds the lock.
    ///
    /// A released lock stays held for a moment by every program that is just being started. It has the descriptor
    /// until `exec` replaces the process image (`flock(2)`: the lock belongs to the open file).
    package static func lockUnlessTaken(_ path: String) throws(PrivateFileError) -> Descriptor? {
        for _ in 0..<20 {
            if let lock = try lock(path, LOCK_EX | LOCK_NB) { return lock }
            _ = poll(nil, 0, 25)
        }
        return nil
    }

    private static func lock(_ path: String, _ operation: Int32) throws(PrivateFileError) -> Descriptor? {
        let entry = try entry(path)
        var raw = entry.open(O_RDWR | O_NONBLOCK, adding: ".lock")
        if raw < 0, errno == ENOENT {
            raw = entry.open(O_RDWR | O_CREAT | O_EXCL, adding: ".lock")
            // Change the owner of a new file only: another user may have put a hard link to one of root's files in its
            // place.
            if raw >= 0 { entry.giveToOwner(raw) }
            if raw < 0, errno == EEXIST { raw = entry.open(O_RDWR | O_NONBLOCK, adding: ".lock") }
        }
        guard raw >= 0 else { throw PrivateFileError(SystemError("cannot make \(path).lock")) }
        let lock = Descriptor(owning: raw)
        while flock(lock.raw, operation) != 0 {
            if errno == EWOULDBLOCK { return nil }
            guard errno == EINTR else { throw PrivateFileError(SystemError("cannot lock \(path).lock")) }
        }
        return lock
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
