import TrackEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A regular file that is open for reading and writing. All calls block.
struct OpenFile: Sendable {
    let name: String
    private let descriptor: Descriptor
    private let probe: FileProbe

    init(_ descriptor: Descriptor, _ name: String, _ probe: @escaping FileProbe) {
        self.descriptor = descriptor
        self.name = name
        self.probe = probe
    }

    /// The size in bytes; `nil` once the file has been removed from its directory.
    var size: Int64? {
        var status = stat()
        guard fstat(descriptor.raw, &status) == 0, status.st_nlink > 0 else { return nil }
        return Int64(status.st_size)
    }

    /// Writes bytes at a place; the file ends behind them.
    ///
    /// When it throws, any number of them may have been written.
    func write(_ bytes: [UInt8], at offset: Int64) throws(FileFailure) {
        try probe(.write)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                return pwrite(descriptor.raw, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
            }
            if count < 0, errno == EINTR { continue }
            // A file system that takes nothing and reports nothing is full.
            guard count > 0 else { throw FileFailure("write", name, code: count == 0 ? ENOSPC : errno) }
            written += count
        }
        try truncate(at: offset + Int64(bytes.count))
    }

    /// Cuts the file at a length.
    func truncate(at length: Int64) throws(FileFailure) {
        try probe(.truncate)
        guard ftruncate(descriptor.raw, off_t(length)) == 0 else { throw FileFailure("truncate", name) }
    }

    /// Has the contents brought to the disk.
    func sync() throws(FileFailure) {
        try probe(.sync)
        guard fsync(descriptor.raw) == 0 else { throw FileFailure("sync", name) }
    }

    /// Reads bytes from a place; fewer at the end of the file.
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileFailure) -> Int {
        while true {
            let count = pread(descriptor.raw, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw FileFailure("read", name) }
        }
    }

    /// The whole contents; `nil` if they are longer than `limit` bytes.
    func contents(atMost limit: Int) throws(FileFailure) -> [UInt8]? {
        guard let size, size <= limit else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        var count = 0
        while count < bytes.count {
            let start = count
            var failure: FileFailure?
            let piece = bytes.withUnsafeMutableBytes { buffer -> Int in
                do throws(FileFailure) {
                    return try read(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]), at: Int64(start))
                } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            guard piece > 0 else { break }
            count += piece
        }
        return Array(bytes.prefix(count))
    }
}
