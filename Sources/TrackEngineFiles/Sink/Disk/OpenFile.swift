import Glibc
import TrackEngine

/// A regular file, open for reading and writing. All calls block.
struct OpenFile: Sendable {
    let name: String
    private let descriptor: Descriptor
    private let probe: FileProbe

    init(_ descriptor: Descriptor, _ name: String, _ probe: @escaping FileProbe) {
        self.descriptor = descriptor
        self.name = name
        self.probe = probe
    }

    /// The size in bytes; `nil` once the file was removed from its directory.
    var size: Int64? {
        var status = stat()
        guard fstat(descriptor.raw, &status) == 0, status.st_nlink > 0 else { return nil }
        return Int64(status.st_size)
    }

    /// Whether the status of a name belongs to this file.
    func isSame(as other: stat) -> Bool {
        var status = stat()
        return fstat(descriptor.raw, &status) == 0 && status.st_dev == other.st_dev && status.st_ino == other.st_ino
    }

    /// Writes bytes at an offset; the file ends after them.
    ///
    /// If it throws, any number of them may have been written.
    func write(_ bytes: [UInt8], at offset: Int64) throws(FileFailure) {
        try probe(.write)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                return pwrite(descriptor.raw, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
            }
            if count < 0, errno == EINTR { continue }
            // A file system that writes no bytes and reports no error is full.
            guard count > 0 else { throw FileFailure("write", name, code: count == 0 ? ENOSPC : errno) }
            written += count
        }
        try truncate(at: offset + Int64(bytes.count))
    }

    /// Truncates the file to a length.
    func truncate(at length: Int64) throws(FileFailure) {
        try probe(.truncate)
        guard ftruncate(descriptor.raw, off_t(length)) == 0 else { throw FileFailure("truncate", name) }
    }

    /// Syncs the contents to the disk.
    func sync() throws(FileFailure) {
        try probe(.sync)
        guard fsync(descriptor.raw) == 0 else { throw FileFailure("sync", name) }
    }

    /// Bytes from an offset on; fewer only at the end of the file.
    func bytes(count: Int, at offset: Int64) throws(FileFailure) -> [UInt8] {
        var isFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
                let read = pread(descriptor.raw, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
                if read < 0, errno == EINTR { continue }
                isFailed = read < 0
                guard read > 0 else { break }
                filled += read
            }
        }
        if isFailed { throw FileFailure("read", name) }
        return bytes
    }

    /// The whole contents; `nil` if they are longer than `limit` bytes.
    func contents(atMost limit: Int) throws(FileFailure) -> [UInt8]? {
        guard let size, size <= limit else { return nil }
        return try bytes(count: Int(size), at: 0)
    }
}
