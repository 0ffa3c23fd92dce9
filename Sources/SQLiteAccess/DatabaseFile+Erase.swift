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
        let file = try openPrivate(path)
        var block = [UInt8](repeating: 0, count: size)
        var number = 0
        while true {
            let offset = Int64(number * size)
            guard let count = block.withUnsafeMutableBytes({ file.read(into: $0, at: offset) }) else {
                throw failure("read", path)
            }
            guard count > 0 else { break }
            if let bytes = try body(number, Array(block[..<count])) {
                guard bytes.count == count, file.write(bytes, at: offset) else { throw failure("overwrite", path) }
            }
            number += 1
        }
        guard file.sync() else { throw failure("overwrite", path) }
    }
}
