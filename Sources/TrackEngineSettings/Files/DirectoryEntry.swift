package import Glibc
package import TrackEngine

/// A name in a directory that is held open, so that a later change of the directory's path does not redirect
/// operations on the name.
///
/// Root works in directories of other users, who may replace directories with links at any time. Root follows a link
/// to the directory only if no other user can have created or moved it.
package struct DirectoryEntry: Sendable {
    /// The last part of the path.
    package let name: String
    private let directory: Descriptor

    /// Opens the directory of a path.
    ///
    /// - Throws: an error when there is none, or when only another user's link leads root to it.
    package init(_ path: String) throws(SystemError) {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let slash = path.lastIndex(of: "/")
        name = String(slash.map { path[path.index(after: $0)...] } ?? path)
        directory = try Self.directory(slash.map { String(path[...$0]) } ?? ".")
    }

    /// Opens the name, optionally followed by a suffix, and never follows a link at its end. Returns the descriptor,
    /// or -1 and sets `errno`.
    package func open(_ flags: Int32, adding suffix: String = "", mode: mode_t = 0o600) -> Int32 {
        openat(directory.raw, name + suffix, flags | O_CLOEXEC | O_NOFOLLOW, mode)
    }

    /// Renames the file within the directory. Returns whether that succeeded; sets `errno` otherwise.
    package func rename(adding old: String = "", to new: String) -> Bool {
        renameat(directory.raw, name + old, directory.raw, name + new) == 0
    }

    /// Creates a hard link to the file in the directory. Returns whether that succeeded; sets `errno` otherwise.
    package func link(adding old: String = "", to new: String) -> Bool {
        linkat(directory.raw, name + old, directory.raw, name + new, 0) == 0
    }

    /// Removes the name, optionally followed by a suffix. Returns whether that succeeded; sets `errno` otherwise.
    @discardableResult
    package func remove(adding suffix: String = "") -> Bool { unlinkat(directory.raw, name + suffix, 0) == 0 }

    /// Creates a directory with mode 0700 and the owner of its parent. Returns whether it was created; sets `errno`
    /// otherwise.
    package func makeDirectory() -> Bool {
        guard mkdirat(directory.raw, name, 0o700) == 0 else { return false }
        let raw = open(O_RDONLY | O_DIRECTORY)
        guard raw >= 0 else { return true }  // the code that reads the directory reports the problem
        let made = Descriptor(owning: raw)
        withExtendedLifetime(made) { giveToOwner(made.raw) }
        return true
    }

    /// Whether root works in a directory of another user.
    package var isOfAnotherUser: Bool {
        var around = stat()
        return geteuid() == 0 && fstat(directory.raw, &around) == 0 && around.st_uid != 0
    }

    /// Changes the owner of a file created by root to the owner of the directory: the agent runs as that user and must
    /// read it.
    package func giveToOwner(_ made: Int32) {
        var (around, status) = (stat(), stat())
        guard geteuid() == 0, fstat(directory.raw, &around) == 0, fstat(made, &status) == 0, status.st_uid == 0 else {
            return
        }
        _ = fchown(made, around.st_uid, around.st_gid)  // reading reports a failure
    }

    /// Makes changes of names in the directory durable. Returns whether that succeeded; sets `errno` otherwise.
    @discardableResult
    package func sync() -> Bool { fsync(directory.raw) == 0 }
}

// MARK: - The path of the directory

extension DirectoryEntry {
    private static let mostLinks = 40

    private static func directory(_ path: String) throws(SystemError) -> Descriptor {
        guard geteuid() == 0 else { return try opened(path) }
        var here = try opened(path.hasPrefix("/") ? "/" : ".")
        var steps = Array(path.split(separator: "/").map(String.init).reversed())
        var links = 0
        while let step = steps.popLast() {
            let next = openat(here.raw, step, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            if next >= 0 {
                here = Descriptor(owning: next)
                continue
            }
            let failure = SystemError("cannot open the directory \(path)")
            guard [ELOOP, ENOTDIR].contains(failure.code), links < mostLinks else { throw failure }
            guard let target = try target(of: step, in: here, path) else { throw failure }
            links += 1
            if target.hasPrefix("/") { here = try opened("/") }
            steps += target.split(separator: "/").map(String.init).reversed()
        }
        return here
    }

    /// The target of a link; `nil` if the name is not a link.
    private static func target(of name: String, in directory: Descriptor, _ path: String) throws(SystemError) -> String?
    {
        var (around, link) = (stat(), stat())
        guard fstat(directory.raw, &around) == 0, fstatat(directory.raw, name, &link, AT_SYMLINK_NOFOLLOW) == 0,
            link.st_mode & S_IFMT == S_IFLNK
        else { return nil }
        let isOpenToOthers = around.st_mode & 0o022 != 0 && around.st_mode & S_ISVTX == 0
        guard around.st_uid == 0, link.st_uid == 0, !isOpenToOthers else {
            throw SystemError(
                "\(path): expected a path without links of other users, such as \(name.quoted(atMost: 64)) of the user \(link.st_uid), "
                    + "which root does not follow; name the directory that it leads to", code: EPERM)
        }
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(directory.raw, name, &target, target.count)
        return count > 0 ? String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    private static func opened(_ path: String) throws(SystemError) -> Descriptor {
        let raw = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw SystemError("cannot open the directory \(path)") }
        return Descriptor(owning: raw)
    }
}
