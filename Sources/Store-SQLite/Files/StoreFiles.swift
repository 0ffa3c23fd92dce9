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

    /// Refuses what stands in place of one of the files and is none: SQLite would wait for a FIFO's other end, and write
    /// through a link.
    func requireRegular() throws(StoreError) {
        for path in opened { try PosixFile.requireRegular(path) }
    }

    /// What the store opens, or SQLite for it.
    var opened: [String] {
        [lock, ledger, database, log, sharedMemory, journal, copy, completedCopy, rewrite, completedRewrite]
    }

    /// Whether the directory holds what others may read, which is then none of the store's own.
    var holdsOtherFiles: Bool {
        PosixFile.names(in: directory).contains { name in
            !name.hasPrefix("track") && PosixFile.status(of: directory + "/" + name)?.isPrivate != true
        }
    }

    /// What the database takes on disk.
    var bytes: Int64 {
        PosixFile.size(of: database) + PosixFile.size(of: log) + PosixFile.size(of: sharedMemory)
    }

    /// Makes the directory, for its owner only.
    ///
    /// One that was there is made private unless it holds what others may read (`/tmp`, a home): such a folder keeps its
    /// mode, which is logged; the store's files in it are private all the same.
    func prepareDirectory() throws(StoreError) {
        let isShared = holdsOtherFiles
        try PosixFile.makePrivateDirectory(directory)
        guard PosixFile.isDirectory(directory) else {
            throw StoreError(.inputOutput, "\(directory): expected a directory")
        }
        if !isShared { PosixFile.makePrivate(directory) }
    }

    /// Makes the database file, empty and private, before SQLite would make it readable by all; SQLite gives its log
    /// and shared memory the mode of the database.
    func prepareDatabase() throws(StoreError) {
        PosixFile.close(try PosixFile.openPrivate(database))
    }
}
