import Glibc
import TrackEngine

/// A failed call on the directory or a file in it; always temporary, since a disk can be repaired.
package struct FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The failed action and its reason; it may name a file, but contains no position.
    package let description: String

    package init(_ description: String) { self.description = description }

    /// A failure of the call that has just returned.
    init(_ action: String, _ name: String, code: Int32 = errno) {
        self.init("cannot \(action) \(name): \(SystemError.reason(code))")
    }
}

/// The steps of the sink on the disk. In tests each can fail, or the process can end before it.
package enum FileStep: Sendable, Hashable, CaseIterable {
    /// Opens or creates the directory and takes its lock.
    case open
    /// Syncs the directory above to the disk, with the directory's own name.
    case syncParent
    /// Looks up the entry of a name.
    case look
    /// Writes the new state next to the old one.
    case writeState
    /// Replaces the old state by the new one.
    case replaceState
    /// Creates the current file.
    case createPart
    /// Writes records to the current file.
    case write
    /// Truncates the current file behind its valid contents.
    case truncate
    /// Syncs a file's contents to the disk.
    case sync
    /// Syncs the directory's names to the disk.
    case syncDirectory
    /// Compresses a complete file into another one.
    case compress
    /// Gives a complete file its final name.
    case rename
    /// Removes a file.
    case remove
}

/// Called before each step; an error that it throws counts as an error of the step.
package typealias FileProbe = @Sendable (FileStep) throws(FileFailure) -> Void
