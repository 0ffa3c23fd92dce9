import Glibc

/// Removal of private files that must not be readable any more.
extension PrivateFile {
    /// Overwrites a file, through to the disk, and removes it; returns whether there was one.
    ///
    /// Copies of overwritten blocks that the disk itself keeps (as flash memory does) cannot be erased by a program.
    @discardableResult
    package static func erase(_ path: String) throws(PrivateFileError) -> Bool {
        guard let entry = try entryIfPresent(path) else { return false }
        guard let file = entry.open(O_WRONLY | O_NONBLOCK) else {
            if errno == ENOENT { return false }
            throw PrivateFileError(SystemError("cannot overwrite \(path)"))
        }
        guard let status = file.status, status.kind == .regular else {
            throw PrivateFileError("\(path): expected a file")
        }
        // Another user may have put a hard link to one of root's files here.
        guard status.links == 1 || !entry.isOfAnotherUser else {
            throw PrivateFileError("\(path): expected a file that has no other name; remove it")
        }
        guard file.overwrite(status.size), entry.remove() else {
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
        guard let first = FileStatus.at(path), let second = FileStatus.at(other) else { return false }
        return first.identity == second.identity
    }

    /// The names in a directory; empty if there is no directory.
    package static func names(in directory: String) throws(PrivateFileError) -> [String] {
        guard FileStatus.following(directory) != nil else { return [] }
        do throws(SystemError) { return try DirectoryReader.names(in: directory, atMost: 100_000) } catch {
            throw PrivateFileError(error)
        }
    }
}
