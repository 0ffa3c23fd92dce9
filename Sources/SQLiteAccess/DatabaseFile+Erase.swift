import Glibc
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
        guard let status = status(of: path) else { return false }
        try requireRegular(path)
        let descriptor = try openPrivate(path)
        defer { close(descriptor) }
        let zeros = [UInt8](repeating: 0, count: 65_536)
        var offset: Int64 = 0
        while offset < status.size {
            let count = pwrite(descriptor, zeros, min(zeros.count, Int(status.size - offset)), off_t(offset))
            guard count > 0 else { throw failure("overwrite", path) }
            offset += Int64(count)
        }
        guard fsync(descriptor) == 0 else { throw failure("overwrite", path) }
        try remove(path)
        return true
    }
}
