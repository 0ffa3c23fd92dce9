package import TrackEngine

/// Files whose contents must become unreadable.
extension DatabaseFile {
    /// The suffixes of the names of a database's files.
    package static let suffixesOfDatabases = ["", "-wal", "-shm", "-journal"]

    /// Overwrites a file, through to the disk, and removes it. Returns whether the file existed.
    ///
    /// Copies of overwritten blocks that the disk itself keeps (as flash memory does) are beyond the reach of any
    /// program.
    @discardableResult
    package static func erase(_ path: String) throws(StoreError) -> Bool {
        guard let status = FileStatus.at(path) else { return false }
        try requireRegular(path)
        guard try openPrivate(path).overwrite(status.size) else { throw failure("overwrite", path) }
        try remove(path)
        return true
    }
}
