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

/// Parts of a file that must become unreadable.
extension DatabaseFile {
    /// Replaces blocks of a file in place, through to the disk.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - size: the size of a block.
    ///   - body: returns new bytes for a block, counted from 0, or `nil` to leave it as it is.
    package static func replaceBlocks(
        of path: String, size: Int, _ body: (_ number: Int, _ block: [UInt8]) throws -> [UInt8]?
    ) throws {
        let descriptor = try openPrivate(path)
        defer { close(descriptor) }
        var block = [UInt8](repeating: 0, count: size)
        var number = 0
        while true {
            let count = block.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, size, off_t(number * size)) }
            guard count >= 0 else { throw failure("read", path) }
            guard count > 0 else { break }
            if let bytes = try body(number, Array(block[..<count])) {
                let written = bytes.withUnsafeBytes {
                    pwrite(descriptor, $0.baseAddress, min(count, $0.count), off_t(number * size))
                }
                guard written == count else { throw failure("overwrite", path) }
            }
            number += 1
        }
        guard fsync(descriptor) == 0 else { throw failure("overwrite", path) }
    }
}
