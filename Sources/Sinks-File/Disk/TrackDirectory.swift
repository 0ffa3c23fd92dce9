import TrackEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The directory of a sink, open and locked for it alone. All calls block.
///
/// Names are taken relative to the open directory, so that whoever moves it moves the files with it; ``isInPlace`` tells.
struct TrackDirectory: Sendable {
    /// The file whose lock says that a sink writes here.
    static let lockName = ".trackengine.lock"

    let path: String
    let probe: FileProbe
    let directory: Descriptor
    private let lock: Lock

    /// Opens the directory, makes it if only its last part is missing, and locks it.
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

    /// What the directory says of a regular file.
    struct Entry {
        /// In bytes.
        let size: Int64
        /// When it was changed last, by the clock of the machine that did it.
        let modified: Timestamp
    }

    /// A regular file; `nil` for anything else, links included, and where there is nothing.
    func regularFile(_ name: String) throws(FileFailure) -> Entry? {
        guard let status = try status(of: name), status.st_mode & S_IFMT == S_IFREG else { return nil }
        let modified = Timestamp(
            secondsSince1970: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
        return Entry(size: Int64(status.st_size), modified: modified)
    }

    /// The size in bytes of a regular file; `nil` as for ``regularFile(_:)``.
    func size(of name: String) throws(FileFailure) -> Int64? { try regularFile(name)?.size }

    /// Whether a name is taken, by whatever it may be.
    func has(_ name: String) throws(FileFailure) -> Bool { try status(of: name) != nil }

    /// Whether a file is still what its name stands for: nobody has moved, removed or replaced it.
    func isInPlace(_ file: OpenFile) -> Bool {
        var status = stat()
        return fstatat(directory.raw, file.name, &status, AT_SYMLINK_NOFOLLOW) == 0 && file.isSame(as: status)
    }

    /// What a name stands for, `nil` only where it is certain that there is nothing: after a wrong answer of either kind a
    /// recovery could remove the only copy of records.
    private func status(of name: String) throws(FileFailure) -> stat? {
        try probe(.look)
        var status = stat()
        if fstatat(directory.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
        guard errno == ENOENT else { throw FileFailure("look up", name) }
        return nil
    }

    /// Has all names brought to the disk. File systems that cannot do that for a directory, some on a network, say so with
    /// EINVAL; there names are as safe as they make them.
    func sync() throws(FileFailure) {
        try probe(.syncDirectory)
        guard fsync(directory.raw) == 0 || errno == EINVAL else { throw FileFailure("sync", path) }
    }

    /// A new directory is on the disk when the one above it says so. Which run made it is not known: an earlier one may have
    /// ended before it came to this.
    private func syncParent() throws(FileFailure) {
        try probe(.syncParent)
        let raw = openat(directory.raw, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else {
            if errno == EACCES || errno == EPERM { return }  // one that may not be read cannot be synchronised
            throw FileFailure("open the directory above", path)
        }
        let parent = Descriptor(owning: raw)
        guard fsync(parent.raw) == 0 || errno == EINVAL else { throw FileFailure("sync the directory above", path) }
    }

    /// Calls `body` with the name of each entry. A list that breaks off is an error: what it lacks would be taken for missing.
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

/// An advisory lock on a file in the directory, which the kernel releases when the process ends in whatever way.
private final class Lock: Sendable {
    private let file: Descriptor

    init(in directory: Descriptor, _ path: String) throws(FileFailure) {
        file = try TrackDirectory.open(TrackDirectory.lockName, O_RDWR | O_CREAT, in: directory)
        guard flock(file.raw, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw FileFailure("lock", path) }
            throw FileFailure("another sink or program writes to \(path): each needs a directory of its own")
        }
    }

    /// Whether nobody has removed the file, which would let another sink in.
    var isInPlace: Bool {
        var status = stat()
        return fstat(file.raw, &status) == 0 && status.st_nlink > 0
    }

    deinit {
        // Closing alone would leave it to a program that this one is just starting: until that has begun, the new process
        // has a copy of the descriptor. It cannot fail on a descriptor that is open.
        _ = flock(file.raw, LOCK_UN)
    }
}

/// `open(2)`, which inside ``TrackDirectory`` is hidden by functions of the same name.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
