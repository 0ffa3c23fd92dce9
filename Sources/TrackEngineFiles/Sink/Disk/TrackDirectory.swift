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
    private let lock: FileLock

    /// Opens the directory, creates it if only its last part is missing, and locks it.
    init(path: String, probe: @escaping FileProbe) throws(FileFailure) {
        self.path = path
        self.probe = probe
        try probe(.open)
        guard mkdir(path, 0o750) == 0 || errno == EEXIST else { throw FileFailure("make", path) }
        guard let directory = Descriptor.open(path, O_RDONLY | O_DIRECTORY) else { throw FileFailure("open", path) }
        self.directory = directory
        guard let lock = FileLock.take(try Self.open(Self.lockName, O_RDWR | O_CREAT, in: directory)) else {
            guard errno == EWOULDBLOCK else { throw FileFailure("lock", path) }
            throw FileFailure("another sink or program writes to \(path): each needs a directory of its own")
        }
        self.lock = lock
        try syncParent()
    }

    /// Whether the path still leads to this directory.
    var isInPlace: Bool {
        guard let here = directory.status, let there = FileStatus.following(path), let locked = lock.file.status else {
            return false
        }
        // Without the lock's file, another sink could lock the directory.
        return here.identity == there.identity && locked.links > 0
    }

    /// The status of a regular file; `nil` for other kinds of entry, including links, and for a missing one.
    func regularFile(_ name: String) throws(FileFailure) -> FileStatus? {
        try status(of: name).flatMap { $0.kind == .regular ? $0 : nil }
    }

    /// The size of a regular file in bytes; `nil` as for ``regularFile(_:)``.
    func size(of name: String) throws(FileFailure) -> Int64? { try regularFile(name)?.size }

    /// Whether a name is taken, by any kind of entry.
    func has(_ name: String) throws(FileFailure) -> Bool { try status(of: name) != nil }

    /// Whether a file is still the entry of its name, and was not moved, removed or replaced.
    func isInPlace(_ file: OpenFile) -> Bool {
        FileStatus.at(file.name, in: directory).map(file.isSame) ?? false
    }

    /// The status of the entry with a name, `nil` only if it certainly does not exist: after a wrong answer of
    /// either kind, a recovery could remove the only copy of records.
    private func status(of name: String) throws(FileFailure) -> FileStatus? {
        try probe(.look)
        if let status = FileStatus.at(name, in: directory) { return status }
        guard errno == ENOENT else { throw FileFailure("look up", name) }
        return nil
    }

    /// Syncs all names to the disk. File systems that do not support that for a directory, such as some on a
    /// network, report EINVAL; they decide how safe names are.
    func sync() throws(FileFailure) {
        try probe(.syncDirectory)
        guard directory.sync() || errno == EINVAL else { throw FileFailure("sync", path) }
    }

    /// Syncs the directory above: only then is a new directory on the disk. An earlier run may have created the
    /// directory and ended before this step.
    private func syncParent() throws(FileFailure) {
        try probe(.syncParent)
        guard let parent = Descriptor.open("..", O_RDONLY | O_DIRECTORY, in: directory) else {
            if errno == EACCES || errno == EPERM { return }  // an unreadable directory cannot be synced
            throw FileFailure("open the directory above", path)
        }
        guard parent.sync() || errno == EINVAL else { throw FileFailure("sync the directory above", path) }
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
