import SQLiteAccess
import TrackEngine

/// The files of a store in its directory.
struct StoreFiles: Sendable {
    let directory: String

    var database: String { directory + "/track.sqlite" }
    var log: String { database + "-wal" }
    var sharedMemory: String { database + "-shm" }
    var journal: String { database + "-journal" }
    var lock: String { directory + "/track.lock" }
    var ledger: String { directory + "/track.ledger" }
    var reserve: String { directory + "/track.reserve" }

    /// Rejects paths that are not regular files: SQLite would wait for the other end of a FIFO, and write through a
    /// link.
    func requireRegular() throws(StoreError) {
        for path in opened { try DatabaseFile.requireRegular(path) }
    }

    /// The files that the store opens itself or through SQLite.
    var opened: [String] {
        [lock, ledger, database, log, sharedMemory, journal, copy, completedCopy, rewrite, completedRewrite]
    }

    /// Whether the directory has files of other programs that others may read.
    var holdsOtherFiles: Bool {
        DatabaseFile.names(in: directory).contains { name in
            !name.hasPrefix("track") && FileStatus.at(directory + "/" + name)?.isPrivateToUser != true
        }
    }

    /// The size of the database on disk.
    var bytes: Int64 {
        DatabaseFile.size(of: database) + DatabaseFile.size(of: log) + DatabaseFile.size(of: sharedMemory)
    }

    /// Creates the directory, accessible only to its owner.
    ///
    /// An existing directory is made private unless it has files that others may read (`/tmp`, a home). Such a
    /// directory keeps its mode, which is logged; the store's files in it are private nevertheless.
    func prepareDirectory() throws(StoreError) {
        let isShared = holdsOtherFiles
        try DatabaseFile.makePrivateDirectory(directory)
        guard FileStatus.following(directory)?.kind == .directory else {
            throw StoreError(.inputOutput, "\(directory): expected a directory")
        }
        if !isShared { DatabaseFile.makePrivate(directory) }
    }

    /// Creates the database file, empty and private, before SQLite would create it readable by all. SQLite gives its
    /// log and shared memory the mode of the database.
    func prepareDatabase() throws(StoreError) {
        try DatabaseFile.openPrivate(database)
    }
}
