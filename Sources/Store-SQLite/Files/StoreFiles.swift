import TrackEngine

/// The files of a store in its directory.
struct StoreFiles: Sendable {
    let directory: String

    var database: String { directory + "/track.sqlite" }
    var log: String { database + "-wal" }
    var sharedMemory: String { database + "-shm" }
    var lock: String { directory + "/track.lock" }
    var ledger: String { directory + "/track.ledger" }

    /// What the database takes on disk.
    var bytes: Int64 {
        PosixFile.size(of: database) + PosixFile.size(of: log) + PosixFile.size(of: sharedMemory)
    }

    /// Makes the directory, for its owner only.
    ///
    /// One that was there is made private unless it holds what others may read (`/tmp`, a home): such a folder keeps its
    /// mode, which is logged; the store's files in it are private all the same.
    func prepareDirectory() throws(StoreError) {
        let others = PosixFile.names(in: directory).filter { name in
            !name.hasPrefix("track") && PosixFile.status(of: directory + "/" + name)?.isPrivate != true
        }
        try PosixFile.makePrivateDirectory(directory)
        if others.isEmpty { PosixFile.makePrivate(directory) }
    }

    /// Makes the database file, empty and private, before SQLite would make it readable by all; SQLite gives its log
    /// and shared memory the mode of the database.
    func prepareDatabase() throws(StoreError) {
        PosixFile.close(try PosixFile.openPrivate(database))
    }
}

// MARK: - Setting aside

extension StoreFiles {
    private static let mark = "track.sqlite.corrupt-"

    /// The damaged databases that have been set aside, oldest first.
    var quarantined: [String] {
        PosixFile.names(in: directory).filter { name in
            name.hasPrefix(Self.mark) && !name.hasSuffix("-wal") && !name.hasSuffix("-shm")
        }
    }

    /// Renames a damaged database together with its log and shared memory, so that nothing of it is lost and what is
    /// readable can be read; answers its new path.
    ///
    /// The database goes first: a crash in between leaves a log without database, which ``hasOrphanedLog`` finds.
    func setAside(now: Timestamp) throws(StoreError) -> String {
        let stamp = now.rfc3339(.seconds).filter { $0 != "-" && $0 != ":" }
        let base = "\(directory)/\(Self.mark)\(stamp)"
        var path = base
        var number = 1
        while PosixFile.status(of: path) != nil || PosixFile.status(of: path + "-wal") != nil {
            number += 1
            path = "\(base).\(number)"
        }
        for suffix in ["", "-wal", "-shm"] where PosixFile.status(of: database + suffix) != nil {
            try PosixFile.rename(database + suffix, to: path + suffix)
        }
        return path
    }

    /// Whether a setting aside was interrupted between its renames.
    var hasOrphanedLog: Bool {
        PosixFile.size(of: log) > 0 && PosixFile.status(of: database) == nil
    }
}
