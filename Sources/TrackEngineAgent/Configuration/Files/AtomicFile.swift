import Glibc
import TrackEngine
import TrackEngineSettings

/// Writes files so that a crash or a power cut leaves either the old or the new content, never a part.
enum AtomicFile {
    /// Writes a file next to the path, syncs it, moves it into place and syncs the directory. Errors name the path,
    /// which users know.
    ///
    /// - Parameter isForOwner: whether the file belongs to the directory's owner, if root writes it for another user.
    static func write(
        _ bytes: [UInt8], to path: String, mode: mode_t = 0o600, isForOwner: Bool = false,
        _ placement: DirectoryEntry.Placement = .replacing
    ) throws(FileProblem) {
        let entry = try FileProblem.entry(path, "create")
        let temporary = ".\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
        defer { entry.remove(adding: temporary) }  // after a rename there is no file left to remove
        do throws(DirectoryEntry.ReplacementError) {
            try entry.place(bytes, as: temporary, mode: mode, isForOwner: isForOwner, placement)
        } catch {
            throw FileProblem(path: path, action: error.step == .write ? "write" : "create", code: error.code)
        }
        guard entry.sync() else { throw FileProblem(path: path.directory, action: "sync", code: errno) }
    }
}
