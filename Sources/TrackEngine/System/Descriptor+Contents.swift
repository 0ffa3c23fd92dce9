import Glibc

/// The contents of an open file. Each function repeats a call that a signal has interrupted, and sets `errno` if it
/// fails.
extension Descriptor {
    /// The status of the file; `nil` if it cannot be read.
    package var status: FileStatus? { FileStatus.of(raw) }

    /// Reads to the end; `nil` if that fails. Reading ends as soon as there are more bytes than `limit`, so more bytes
    /// than that are a part of a file that is too long.
    package func contents(atMost limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit + 1, 65_536))
        while bytes.count <= limit {
            let count = Glibc.read(raw, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Fills a buffer from an offset in the file on. Returns the number of bytes, fewer only at the end of the file;
    /// `nil` if that fails.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int? {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = pread(raw, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Writes all bytes, at an offset if one is given. Returns whether that succeeded; otherwise any number of them may
    /// have been written.
    package func write(_ bytes: [UInt8], at offset: Int64? = nil) -> Bool {
        bytes.withUnsafeBytes { Self.write($0, to: raw, at: offset) }
    }

    /// Writes all bytes to a descriptor that others own, such as that of standard output.
    package static func write(_ bytes: UnsafeRawBufferPointer, to raw: Int32, at offset: Int64? = nil) -> Bool {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count =
                if let offset {
                    pwrite(raw, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
                } else {
                    Glibc.write(raw, rest.baseAddress, rest.count)
                }
            if count < 0, errno == EINTR { continue }
            // A file system that writes no bytes and reports no error is full.
            if count == 0 { errno = ENOSPC }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// Overwrites the first bytes of the file with zeros, through to the disk. Returns whether that succeeded.
    package func overwrite(_ size: Int64) -> Bool {
        let zeros = [UInt8](repeating: 0, count: 65_536)
        var offset: Int64 = 0
        while offset < size {
            let piece = Int(min(Int64(zeros.count), size - offset))
            guard zeros.withUnsafeBytes({ Self.write(.init(rebasing: $0[..<piece]), to: raw, at: offset) }) else {
                return false
            }
            offset += Int64(piece)
        }
        return sync()
    }

    /// Makes the file's contents durable. Returns whether that succeeded.
    package func sync() -> Bool { fsync(raw) == 0 }
}
