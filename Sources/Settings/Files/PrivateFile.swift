package import TrackEngine

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// A small file that only its owner can read, and that is replaced as a whole: a reader sees the old contents or the new ones.
package enum PrivateFile {
    /// What a file holds and what tells it from later versions, or `nil` where there is none.
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

    /// Replaces the file, through to the disk. One caller at a time.
    @discardableResult
    package static func replace(_ path: String, with bytes: [UInt8]) throws(PrivateFileError) -> stat {
        let (entry, temporary) = (try entry(path), ".new")
        entry.remove(adding: temporary)  // what an interrupted change left; nobody else is here
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

    /// What the name of a file ends in that was set aside.
    package static let asideSuffix = ".unreadable"

    /// Puts a file aside that cannot be read, for a person to look at.
    package static func setAside(_ path: String) throws(PrivateFileError) {
        guard try entry(path).rename(to: asideSuffix) else {
            throw PrivateFileError(SystemError("cannot rename \(path)"))
        }
    }

    /// Whether a file of that name was set aside.
    package static func isSetAside(_ name: String) -> Bool { name.hasSuffix(asideSuffix) }

    /// The file's place in its directory.
    static func entry(_ path: String) throws(PrivateFileError) -> DirectoryEntry {
        do throws(SystemError) { return try DirectoryEntry(path) } catch { throw PrivateFileError(error) }
    }

    /// The same; `nil` where there is no directory.
    static func entryIfPresent(_ path: String) throws(PrivateFileError) -> DirectoryEntry? {
        do throws(SystemError) { return try DirectoryEntry(path) } catch {
            if error.code == ENOENT { return nil }
            throw PrivateFileError(error)
        }
    }

    /// Keeps other processes from changing the file as long as the lock is held; waits for one that does.
    package static func lock(_ path: String) throws(PrivateFileError) -> Descriptor {
        guard let lock = try lock(path, LOCK_EX) else { throw PrivateFileError("cannot lock \(path).lock") }
        return lock
    }

    /// The same with no more than half a second of patience; `nil` while another process, or somebody else in this one, has the lock.
    ///
    /// A lock that was let go is held a moment longer by every program that was just being started: it has the descriptor until its
    /// own file takes its place (`flock(2)`: the lock belongs to the open file).
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
            // Only what was made here is given away: another name for a file of root's may have been put in its place.
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

    /// Makes the directory that a private file shall stand in, for its owner alone, if it is missing; its parent has to be there.
    /// What root makes belongs to the owner of the parent, as whom the agent runs.
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

/// Why a private file cannot be read or replaced, in words for people.
package struct PrivateFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
    /// Whether the file is encrypted and its key is missing or another one.
    package let isWrongKey: Bool

    /// An error from its words.
    package init(_ description: String, isWrongKey: Bool = false) {
        self.description = description
        self.isWrongKey = isWrongKey
    }

    init(_ error: SystemError) { self.init(error.description) }
}
