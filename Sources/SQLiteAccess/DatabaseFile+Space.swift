import Glibc
package import TrackEngine

/// Space on a file system.
extension DatabaseFile {
    /// The space of the file system that holds a directory, in bytes; `nil` when it cannot be determined.
    package static func space(at directory: String) -> (free: Int64, total: Int64)? {
        var status = statvfs()
        guard statvfs(directory, &status) == 0 else { return nil }
        let block = UInt64(status.f_frsize)
        func bytes(_ blocks: some BinaryInteger) -> Int64 {
            let (product, overflow) = UInt64(clamping: blocks).multipliedReportingOverflow(by: block)
            return overflow ? .max : Int64(clamping: product)
        }
        return (bytes(status.f_bavail), bytes(status.f_blocks))
    }

    /// Makes a private file that occupies this space, or no file at all.
    package static func allocate(_ path: String, bytes: Int64) throws(StoreError) {
        let file = try openPrivate(path)
        let result = posix_fallocate(file.raw, 0, off_t(bytes))
        guard result != 0 else { return }
        _ = unlink(path)  // a part of it would be counted as the whole
        errno = result
        throw failure("reserve space for", path)
    }

    /// Removes a file. Returns whether it existed.
    static func removeIfPresent(_ path: String) -> Bool { unlink(path) == 0 }
}
