import Glibc
import TrackEngine

// Opening, creating, renaming and removing files in the directory.

extension TrackDirectory {
    /// Creates a file that did not exist.
    func create(_ name: String) throws(FileFailure) -> OpenFile {
        try probe(.createPart)
        return OpenFile(try open(name, O_RDWR | O_CREAT | O_EXCL), name, probe)
    }

    /// Opens a regular file for reading and writing; a link is refused.
    func openExisting(_ name: String) throws(FileFailure) -> OpenFile {
        OpenFile(try open(name, O_RDWR), name, probe)
    }

    /// Writes a file under a temporary name, syncs it to the disk and renames it, replacing any file with that name.
    ///
    /// On failure it removes the temporary file: a full disk needs the space.
    ///
    /// - Parameter step: the step of the renaming.
    func replace(
        _ name: String, by temporary: String, before step: FileStep, _ write: (OpenFile) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        do throws(FileFailure) {
            let file = try createAnew(temporary)
            try write(file)
            try file.sync()
            try probe(step)
            try rename(temporary, to: name)
        } catch {
            // The failure above is reported, not this one; the next session removes remaining files.
            try? remove(temporary)
            throw error
        }
    }

    /// Creates a file; an existing one with the name is removed.
    private func createAnew(_ name: String) throws(FileFailure) -> OpenFile {
        guard unlinkat(directory.raw, name, 0) == 0 || errno == ENOENT else { throw FileFailure("remove", name) }
        return OpenFile(try open(name, O_RDWR | O_CREAT | O_EXCL), name, probe)
    }

    private func open(_ name: String, _ flags: Int32) throws(FileFailure) -> Descriptor {
        try Self.open(name, flags, in: directory)
    }

    /// Opens a regular file. Without `O_NONBLOCK` the call would wait forever for a pipe of that name.
    static func open(
        _ name: String, _ flags: Int32, in directory: Descriptor
    ) throws(FileFailure) -> Descriptor {
        guard let descriptor = Descriptor.open(name, flags | O_NOFOLLOW | O_NONBLOCK, mode: 0o640, in: directory) else {
            throw FileFailure("open", name)
        }
        guard descriptor.status?.kind == .regular else {
            throw FileFailure("cannot use \(name): it is no regular file")
        }
        return descriptor
    }

    /// Renames a file within the directory and syncs the names to the disk.
    func rename(_ name: String, to other: String) throws(FileFailure) {
        guard renameat(directory.raw, name, directory.raw, other) == 0 else { throw FileFailure("rename", name) }
        try sync()
    }

    /// Removes a file, if it exists.
    func remove(_ name: String) throws(FileFailure) {
        try probe(.remove)
        guard unlinkat(directory.raw, name, 0) == 0 || errno == ENOENT else { throw FileFailure("remove", name) }
    }
}
