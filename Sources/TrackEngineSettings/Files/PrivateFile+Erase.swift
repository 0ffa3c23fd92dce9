import Glibc
import TrackEngine

/// Removal of private files that must not be readable any more.
extension PrivateFile {
    /// Overwrites a file, through to the disk, and removes it; returns whether there was one.
    ///
    /// Copies of overwritten blocks that the disk itself keeps (as flash memory does) cannot be erased by a program.
    @discardableResult
    package static func erase(_ path: String) throws(PrivateFileError) -> Bool {
        guard let entry = try entryIfPresent(path) else { return false }
        let raw = entry.open(O_WRONLY | O_NONBLOCK)
        guard raw >= 0 else {
            if errno == ENOENT { return false }
            throw PrivateFileError(SystemError("cannot overwrite \(path)"))
        }
        let file = Descriptor(owning: raw)
        var status = stat()
        guard fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PrivateFileError("\(path): expected a file")
        }
        // Another user may have put a hard link to one of root's files here.
        guard status.st_nlink == 1 || !entry.isOfAnotherUser else {
            throw PrivateFileError("\(path): expected a file that has no other name; remove it")
        }
        let zeros = [UInt8](repeating: 0, count: 65_536)
        var offset = 0
        while offset < Int(status.st_size) {
            let count = pwrite(file.raw, zeros, min(zeros.count, Int(status.st_size) - offset), off_t(offset))
            guard count > 0 else { throw PrivateFileError(SystemError("cannot overwrite \(path)")) }
            offset += count
        }
        guard fsync(file.raw) == 0, entry.remove() else {
            throw PrivateFileError(SystemError("cannot overwrite \(path)"))
        }
        entry.sync()
        return true
    }

    /// Creates a hard link to a file in its directory: its name followed by a suffix.
    package static func link(_ path: String, adding suffix: String) throws(PrivateFileError) {
        let entry = try entry(path)
        guard entry.link(to: suffix) else { throw PrivateFileError(SystemError("cannot make \(path)\(suffix)")) }
        entry.sync()
    }

    /// Whether two names refer to the same file.
    package static func isSame(_ path: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard lstat(path, &first) == 0, lstat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// The names in a directory; empty if there is no directory.
    package static func names(in directory: String) throws(PrivateFileError) -> [String] {
        var status = stat()
        guard stat(directory, &status) == 0 else { return [] }
        do throws(SystemError) { return try DirectoryReader.names(in: directory, atMost: 100_000) } catch {
            throw PrivateFileError(error)
        }
    }
}
