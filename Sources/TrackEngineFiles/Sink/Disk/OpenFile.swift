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
        descriptor.status.flatMap { $0.links > 0 ? $0.size : nil }
    }

    /// Whether the status of a name belongs to this file.
    func isSame(as other: FileStatus) -> Bool { descriptor.status?.identity == other.identity }

    /// Writes bytes at an offset; the file ends after them.
    ///
    /// If it throws, any number of them may have been written.
    func write(_ bytes: [UInt8], at offset: Int64) throws(FileFailure) {
        try probe(.write)
        guard descriptor.write(bytes, at: offset) else { throw FileFailure("write", name) }
        try truncate(at: offset + Int64(bytes.count))
    }

    func truncate(at length: Int64) throws(FileFailure) {
        try probe(.truncate)
        guard ftruncate(descriptor.raw, off_t(length)) == 0 else { throw FileFailure("truncate", name) }
    }

    /// Syncs the contents to the disk.
    func sync() throws(FileFailure) {
        try probe(.sync)
        guard descriptor.sync() else { throw FileFailure("sync", name) }
    }

    /// Bytes from an offset on; fewer only at the end of the file.
    func bytes(count: Int, at offset: Int64) throws(FileFailure) -> [UInt8] {
        var isFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let read = descriptor.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            (isFailed, filled) = (read == nil, read ?? 0)
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
