import Glibc
import TrackEngine

/// The directory of a sink, open and locked exclusively. All calls block.
///
/// Names are relative to the open directory, so files move together with it; ``isInPlace`` detects a move.
struct TrackDirectory: Sendable {
    /// The file that is locked by the writing sink.
    static let lockName = ".trackengine.lock"

    let path: String
    let probe: FileProbe
    let directory: Descriptor
    private let lock: Lock

    /// Opens the directory, creates it if only its last part is missing, and locks it.
    init(path: String, probe: @escaping FileProbe) throws(FileFailure) {
        self.path = path
        self.probe = probe
        try probe(.open)
        guard mkdir(path, 0o750) == 0 || errno == EEXIST else { throw FileFailure("make", path) }
        let descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure("open", path) }
        directory = Descriptor(owning: descriptor)
        lock = try Lock(in: directory, path)
        try syncParent()
    }

    /// Whether the path still leads to this directory.
    var isInPlace: Bool {
        var (here, there) = (stat(), stat())
        return fstat(directory.raw, &here) == 0 && stat(path, &there) == 0 && here.st_dev == there.st_dev
            && here.st_ino == there.st_ino && lock.isInPlace
    }

    /// The properties of a regular file.
    struct Entry {
        /// The size in bytes.
        let size: Int64
        /// The last modification, by the clock of the machine that made it.
        let modified: Timestamp
    }

    /// The properties of a regular file; `nil` for other kinds of entry, including links, and for a missing one.
    func regularFile(_ name: String) throws(FileFailure) -> Entry? {
        guard let status = try status(of: name), status.st_mode & S_IFMT == S_IFREG else { return nil }
        let modified = Timestamp(
            secondsSince1970: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
        return Entry(size: Int64(status.st_size), modified: modified)
    }

    /// The size of a regular file in bytes; `nil` as for ``regularFile(_:)``.
    func size(of name: String) throws(FileFailure) -> Int64? { try regularFile(name)?.size }

    /// Whether a name is taken, by any kind of entry.
    func has(_ name: String) throws(FileFailure) -> Bool { try status(of: name) != nil }

    /// Whether a file is still the entry of its name, and was not moved, removed or replaced.
    func isInPlace(_ file: OpenFile) -> Bool {
        var status = stat()
        return fstatat(directory.raw, file.name, &status, AT_SYMLINK_NOFOLLOW) == 0 && file.isSame(as: status)
    }

    /// The status of the entry with a name, `nil` only if it certainly does not exist: after a wrong answer of
    /// either kind, a recovery could remove the only copy of records.
    private func status(of name: String) throws(FileFailure) -> stat? {
        try probe(.look)
        var status = stat()
        if fstatat(directory.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
        guard errno == ENOENT else { throw FileFailure("look up", name) }
        return nil
    }

    /// Syncs all names to the disk. File systems that do not support that for a directory, such as some on a
    /// network, report EINVAL; they decide how safe names are.
    func sync() throws(FileFailure) {
        try probe(.syncDirectory)
        guard fsync(directory.raw) == 0 || errno == EINVAL else { throw FileFailure("sync", path) }
    }

    /// Syncs the directory above: only then is a new directory on the disk. An earlier run may have created the
    /// directory and ended before this step.
    private func syncParent() throws(FileFailure) {
        try probe(.syncParent)
        let raw = openat(directory.raw, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else {
            if errno == EACCES || errno == EPERM { return }  // an unreadable directory cannot be synced
            throw FileFailure("open the directory above", path)
        }
        let parent = Descriptor(owning: raw)
        guard fsync(parent.raw) == 0 || errno == EINVAL else { throw FileFailure("sync the directory above", path) }
    }

    /// Calls `body` with the name of each entry. An incomplete list is an error: absent names would count as missing
    /// files.
    func forEachName(_ body: (String) throws(FileFailure) -> Void) throws(FileFailure) {
        var reader: DirectoryReader
        do throws(SystemError) { reader = try DirectoryReader(directory, path: path) } catch {
            throw FileFailure(error.description)
        }
        while let name = try next(&reader) { try body(name) }
    }

    private func next(_ reader: inout DirectoryReader) throws(FileFailure) -> String? {
        do throws(SystemError) { return try reader.next() } catch { throw FileFailure(error.description) }
    }
}

/// An advisory lock on a file in the directory. The kernel releases it when the process ends, for any reason.
private final class Lock: Sendable {
    private let file: Descriptor

    init(in directory: Descriptor, _ path: String) throws(FileFailure) {
        file = try TrackDirectory.open(TrackDirectory.lockName, O_RDWR | O_CREAT, in: directory)
        guard flock(file.raw, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw FileFailure("lock", path) }
            throw FileFailure("another sink or program writes to \(path): each needs a directory of its own")
        }
    }

    /// Whether the lock's file still exists. Without it, another sink could lock the directory.
    var isInPlace: Bool {
        var status = stat()
        return fstat(file.raw, &status) == 0 && status.st_nlink > 0
    }

    deinit {
        // Unlocks explicitly. If this process is just starting a program, the child has a copy of the descriptor
        // until that program begins, and closing alone would keep the lock. Unlocking an open descriptor cannot
        // fail.
        _ = flock(file.raw, LOCK_UN)
    }
}

/// `open(2)`, which functions of the same name hide inside ``TrackDirectory``.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
