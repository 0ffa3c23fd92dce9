import Glibc

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

    /// Opens the name, optionally followed by a suffix, and never follows a link at its end; `nil` and sets `errno` if
    /// that fails.
    package func open(_ flags: Int32, adding suffix: String = "") -> Descriptor? {
        Descriptor.open(name + suffix, flags | O_NOFOLLOW, in: directory)
    }

    /// Opens the name, optionally followed by a suffix, and creates a file with the owner of the directory if there is
    /// none; `nil` and sets `errno` if that fails.
    package func openOrCreate(_ flags: Int32, adding suffix: String = "") -> Descriptor? {
        if let file = open(flags, adding: suffix) { return file }
        guard errno == ENOENT else { return nil }
        guard let file = open(flags | O_CREAT | O_EXCL, adding: suffix) else {
            return errno == EEXIST ? open(flags, adding: suffix) : nil
        }
        // Only a new file gets another owner: another user may have put a hard link to one of root's files in its
        // place.
        giveToOwner(file)
        return file
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
        // The code that reads the directory reports a failure.
        if let made = open(O_RDONLY | O_DIRECTORY) { giveToOwner(made) }
        return true
    }

    /// Whether root works in a directory of another user.
    var isOfAnotherUser: Bool {
        geteuid() == 0 && directory.status.map { $0.owner != 0 } ?? false
    }

    /// Changes the owner of a file created by root to the owner of the directory: the agent runs as that user and must
    /// read it.
    func giveToOwner(_ made: Descriptor) {
        guard geteuid() == 0, let around = directory.status, made.status?.owner == 0 else { return }
        _ = fchown(made.raw, around.owner, around.group)  // reading reports a failure
    }

    /// Makes changes of names in the directory durable. Returns whether that succeeded; sets `errno` otherwise.
    @discardableResult
    package func sync() -> Bool { directory.sync() }
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
            if let next = Descriptor.open(step, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, in: here) {
                here = next
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
        guard let around = directory.status, let link = FileStatus.at(name, in: directory), link.kind == .link else {
            return nil
        }
        let isOpenToOthers = around.isWritableByOthers && !around.isSticky
        guard around.owner == 0, link.owner == 0, !isOpenToOthers else {
            throw SystemError(
                "\(path): expected a path without links of other users, such as \(name.quoted(atMost: 64)) of the user \(link.owner), "
                    + "which root does not follow; name the directory that it leads to", code: EPERM)
        }
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(directory.raw, name, &target, target.count)
        return count > 0 ? String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    private static func opened(_ path: String) throws(SystemError) -> Descriptor {
        guard let directory = Descriptor.open(path, O_RDONLY | O_DIRECTORY) else {
            throw SystemError("cannot open the directory \(path)")
        }
        return directory
    }
}
