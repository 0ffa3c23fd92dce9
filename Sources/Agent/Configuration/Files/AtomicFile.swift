#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes files so that a crash or a power cut leaves either the old or the new content, never a part.
enum AtomicFile {
    /// How a new file takes its place.
    enum Placement {
        /// Instead of whatever is there.
        case replacing
        /// Only if nothing is there; otherwise the write fails with `EEXIST`.
        case creating
    }

    /// Writes beside the file, syncs, moves it into place and syncs the directory.
    ///
    /// - Parameter owner: whose the file is to be, where root writes it for somebody else.
    static func write(
        _ bytes: [UInt8], to path: String, mode: mode_t = 0o600, owner: uid_t? = nil,
        _ placement: Placement = .replacing
    ) throws(FileProblem) {
        let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
        defer { unlink(temporary) }  // after a rename there is nothing left to remove
        try writeNew(bytes, to: temporary, of: path, mode: mode, owner: owner)
        let placed =
            switch placement {
            case .replacing: rename(temporary, path)
            case .creating: link(temporary, path)
            }
        guard placed == 0 else { throw FileProblem(path: path, action: "create", code: errno) }
        try syncDirectory(of: path)
    }

    /// Writes the temporary file of a path; problems name the path, which is what people know.
    private static func writeNew(
        _ bytes: [UInt8], to temporary: String, of path: String, mode: mode_t, owner: uid_t?
    ) throws(FileProblem) {
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileProblem(path: path, action: "create", code: errno) }
        defer { close(descriptor) }
        try write(bytes[...], descriptor, path)
        if let owner, owner != geteuid(), fchown(descriptor, owner, gid_t.max) != 0 {
            throw FileProblem(path: path, action: "give its owner", code: errno)
        }
        guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else {
            throw FileProblem(path: path, action: "write", code: errno)
        }
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, _ descriptor: Int32, _ path: String
    ) throws(FileProblem) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileProblem(path: path, action: "write", code: errno)
            }
            rest = rest.dropFirst(count)
        }
    }

    private static func syncDirectory(of path: String) throws(FileProblem) {
        let directory = path.directory
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileProblem(path: directory, action: "open", code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileProblem(path: directory, action: "sync", code: errno) }
    }
}

/// `write(2)`, which ``AtomicFile/write(_:to:mode:_:)`` would hide.
func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

extension String {
    /// The directory of a path.
    var directory: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
