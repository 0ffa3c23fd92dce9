package import TrackEngine

/// Disk space that is reserved for settling and pruning, as a file next to the database.
///
/// A database with a write-ahead log can neither delete nor checkpoint on a full disk. When a write other than an
/// append finds the disk full, the file is removed and its space lets the write through. Appends are refused until
/// the file can be made again, so they never use up the space that deletions need.
package struct ReserveFile {
    private enum State {
        /// The file occupies its space. Releasing it leads to `released`.
        case held
        /// The file does not exist. Taking it leads to `held`, when the disk has the room.
        case released
    }

    private let path: String
    /// The size of the file, in bytes.
    package let size: Int64
    private var state: State

    /// Whether the file occupies its space.
    package var isHeld: Bool {
        switch state {
        case .held: true
        case .released: false
        }
    }

    /// An eighth of the file system, between 256 KiB and 2 MiB, in whole pages.
    package static func size(onDiskOf total: Int64) -> Int64 {
        let page: Int64 = 4_096
        return min(max(total / 8, 256 << 10), 2 << 20) / page * page
    }

    /// The space that opening a database needs: its log, shared memory and ledger.
    private static let roomToOpen: Int64 = 128 << 10

    /// Finds the reserve of an earlier run; releases it when the disk is so full that the database could not be
    /// opened.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - directory: the database's directory.
    /// - Throws: `full` when the disk is full and there is no reserve.
    package init(path: String, in directory: String) throws(StoreError) {
        self.path = path
        let space = DatabaseFile.space(at: directory)
        size = Self.size(onDiskOf: space?.total ?? .max)
        state = DatabaseFile.size(of: path) >= size ? .held : .released
        guard let space, space.free < Self.roomToOpen else { return }
        guard release() else {
            throw StoreError(
                .full,
                "the disk has \(space.free) bytes free, expected \(Self.roomToOpen) for a database to open; make room, and start again"
            )
        }
    }

    /// Releases the space for the next write. Returns whether the reserve was held.
    package mutating func release() -> Bool {
        guard isHeld else { return false }
        state = .released
        return DatabaseFile.removeIfPresent(path)
    }

    /// Takes the space again, if it is not held.
    ///
    /// - Throws: `full` when the disk has no room. A file system that cannot reserve space is no
    ///   error.
    package mutating func take() throws(StoreError) {
        guard !isHeld else { return }
        do {
            try DatabaseFile.allocate(path, bytes: size)
        } catch {
            if error.code == .full { throw error }
        }
        state = .held
    }
}
