import TrackEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The few file operations that the store needs beside SQLite, with errors that name the file.
enum PosixFile {
    /// Size and owner of a file.
    struct Status {
        let size: Int64
        let owner: UInt32
        let mode: UInt32
    }

    static func status(of path: String) -> Status? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Status(size: Int64(status.st_size), owner: status.st_uid, mode: UInt32(status.st_mode))
    }

    static func size(of path: String) -> Int64 { status(of: path)?.size ?? 0 }

    /// An error from `errno`.
    static func failure(_ action: String, _ path: String) -> StoreError {
        let code = errno
        let kind: StoreError.Code = code == ENOSPC || code == EDQUOT ? .full : .inputOutput
        return StoreError(kind, "could not \(action) \(path): \(String(cString: strerror(code)))")
    }

    /// Makes a directory and those above it, readable by its owner only, whatever the umask.
    static func makePrivateDirectory(_ path: String) throws(StoreError) {
        if status(of: path) != nil { return }
        let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        if !parent.isEmpty { try makePrivateDirectory(parent) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("create directory", path) }
        guard chmod(path, 0o700) == 0 else { throw failure("protect directory", path) }
    }

    /// Takes a directory from all but its owner; one of somebody else's stays as it is.
    static func makePrivate(_ directory: String) {
        guard status(of: directory)?.owner == geteuid() else { return }
        chmod(directory, 0o700)
    }

    static func close(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    /// Opens a file that only its owner may read, making it if need be; refuses links and files of others.
    static func openPrivate(_ path: String, truncating: Bool = false) throws(StoreError) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (truncating ? O_TRUNC : 0)
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw failure("open", path) }
        guard let status = status(of: path), status.owner == geteuid() else {
            close(descriptor)
            throw StoreError(.inputOutput, "\(path) belongs to another user")
        }
        guard fchmod(descriptor, 0o600) == 0 else {
            defer { close(descriptor) }
            throw failure("protect", path)
        }
        return descriptor
    }

    /// Puts new contents in place of a file's old ones so that, whatever happens, one or the other is there.
    static func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        let temporary = path + ".new"
        let descriptor = try openPrivate(temporary, truncating: true)
        let isWritten = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count
        guard isWritten, fsync(descriptor) == 0 else {
            defer { close(descriptor) }
            throw failure("write", temporary)
        }
        close(descriptor)
        try rename(temporary, to: path)
    }

    /// Moves a file and makes the move durable.
    static func rename(_ path: String, to other: String) throws(StoreError) {
        #if canImport(Glibc)
            let result = Glibc.rename(path, other)
        #elseif canImport(Musl)
            let result = Musl.rename(path, other)
        #else
            let result = Darwin.rename(path, other)
        #endif
        guard result == 0 else { throw failure("rename", path) }
        try syncDirectory(of: path)
    }

    private static func syncDirectory(of path: String) throws(StoreError) {
        let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let descriptor = open(directory.isEmpty ? "/" : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open directory", directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("sync directory", directory) }
    }

    /// The first bytes of a file; fewer when it is shorter, none when it cannot be read.
    static func head(of path: String, count: Int) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let length = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, count) }
        return Array(bytes.prefix(max(0, length)))
    }

    /// The names in a directory, sorted.
    static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
