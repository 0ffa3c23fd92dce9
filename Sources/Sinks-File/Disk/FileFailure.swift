import TrackEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A call on the directory or a file in it that failed; always temporary, since a disk can be mended.
package struct FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What could not be done and why; it names a file and no position.
    package let description: String

    package init(_ description: String) { self.description = description }

    /// A failure of the call that has just returned.
    init(_ action: String, _ name: String, code: Int32 = errno) {
        self.init("cannot \(action) \(name): \(SystemError.reason(code))")
    }
}

/// What the sink does to the disk, one call after the other; tests let a call fail or the process end before it.
package enum FileStep: Sendable, Hashable, CaseIterable {
    /// Opens, or makes, the directory and takes its lock.
    case open
    /// Has the directory's own name brought to the disk.
    case syncParent
    /// Looks up what a name stands for.
    case look
    /// Writes the new state beside the old one.
    case writeState
    /// Puts the new state in the old one's place.
    case replaceState
    /// Makes the file under way.
    case createPart
    /// Writes records to the file under way.
    case write
    /// Cuts the file under way behind what it shall have.
    case truncate
    /// Has a file's contents brought to the disk.
    case sync
    /// Has names brought to the disk.
    case syncDirectory
    /// Compresses a complete file into another one.
    case compress
    /// Gives a complete file its final name.
    case rename
    /// Removes a file.
    case remove
}

/// Called before each step; what it throws the step is taken to have thrown.
package typealias FileProbe = @Sendable (FileStep) throws(FileFailure) -> Void
