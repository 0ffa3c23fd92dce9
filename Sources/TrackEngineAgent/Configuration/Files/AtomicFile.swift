import Glibc
import TrackEngine
import TrackEngineSettings

/// Writes files so that a crash or a power cut leaves either the old or the new content, never a part.
enum AtomicFile {
    /// The placement of a new file.
    enum Mode {
        /// Replaces an existing file.
        case replacing
        /// Only if there is no file; otherwise the write fails with `EEXIST`.
        case creating
    }

    /// Writes a file next to the path, syncs it, moves it into place and syncs the directory.
    ///
    /// - Parameter isForOwner: whether the file belongs to the directory's owner, if root writes it for another user.
    static func write(
        _ bytes: [UInt8], to path: String, mode: mode_t = 0o600, isForOwner: Bool = false,
        _ placement: Mode = .replacing
    ) throws(FileProblem) {
        let entry = try FileProblem.entry(path, "create")
        let temporary = ".\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
        defer { entry.remove(adding: temporary) }  // after a rename there is no file left to remove
        try writeNew(bytes, to: entry, temporary, of: path, mode: mode, isForOwner: isForOwner)
        let isPlaced =
            switch placement {
            case .replacing: entry.rename(adding: temporary, to: "")
            case .creating: entry.link(adding: temporary, to: "")
            }
        guard isPlaced else { throw FileProblem(path: path, action: "create", code: errno) }
        guard entry.sync() else { throw FileProblem(path: path.directory, action: "sync", code: errno) }
    }

    /// Writes the temporary file of a path. Errors name the path, which users know.
    private static func writeNew(
        _ bytes: [UInt8], to entry: DirectoryEntry, _ temporary: String, of path: String, mode: mode_t,
        isForOwner: Bool
    ) throws(FileProblem) {
        let raw = entry.open(O_WRONLY | O_CREAT | O_EXCL, adding: temporary)
        guard raw >= 0 else { throw FileProblem(path: path, action: "create", code: errno) }
        let file = Descriptor(owning: raw)
        try write(bytes[...], file.raw, path)
        if isForOwner { entry.giveToOwner(file.raw) }
        guard fchmod(file.raw, mode) == 0, fsync(file.raw) == 0 else {
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
}

/// `write(2)`, which ``AtomicFile/write(_:to:mode:isForOwner:_:)`` would hide.
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
