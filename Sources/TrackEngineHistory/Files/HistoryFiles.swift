import Glibc
import SQLiteAccess
import TrackEngine

/// A history's directory, which one process may open at a time, and which only its owner can read.
package final class HistoryFiles: Sendable {
    let directory: String
    private let lock: FileLock

    /// Makes the directory if it does not exist, and locks it; the kernel releases the lock when the process ends.
    init(directory: String) throws(StoreError) {
        self.directory = directory
        if mkdir(directory, 0o700) != 0, errno != EEXIST { throw DatabaseFile.failure("create directory", directory) }
        // First: root would leave a lock of its own in the directory of another user, who could not open it.
        for name in ["history.sqlite", "history.sqlite.rewritten", "history.sqlite.salvaged"] {
            try DatabaseFile.requireRegular(directory + "/" + name)
        }
        lock = try FileLock.database(
            directory + "/history.lock", takenBy: "another process, or another history in this one,")
    }

    /// The path of the database.
    var database: String { directory + "/history.sqlite" }
    /// The path of the database's log.
    var log: String { database + "-wal" }
    /// The path of the key of an encrypted history (see ``HistoryKeyFile``).
    var key: String { directory + "/key.sealed" }
    /// The space that is reserved for removals (see ``HistorySpace``).
    var reserve: String { directory + "/history.reserve" }
    /// The path of an unfinished rewrite.
    var rewrite: String { database + ".rewrite" }
    /// The path of a complete rewrite, which is to replace the database.
    var completedRewrite: String { database + ".rewritten" }
    /// The path of a complete rewrite that is to replace a damaged database, which is kept (see ``damagedCopies``).
    var completedSalvage: String { database + ".salvaged" }
    /// The complete rewrite that is to replace the database; `nil` when there is none.
    var replacement: String? {
        [completedSalvage, completedRewrite].first { FileStatus.at($0) != nil }
    }
    /// The path of the file that holds the points at this moment.
    var current: String { replacement ?? database }

    /// Whether a directory contains a history, determined without opening or making any file.
    static func hasHistory(in directory: String) -> Bool {
        ["/history.sqlite", "/history.sqlite.rewritten", "/history.sqlite.salvaged"].contains {
            FileStatus.at(directory + $0) != nil
        }
    }

    /// The requirement that a history's directory, or a file in it, does not meet; `nil` when it can be used, or does
    /// not exist yet.
    package static func expectation(of directory: String) -> String? {
        guard FileStatus.following(directory) != nil else { return nil }
        guard access(directory, R_OK | W_OK | X_OK) == 0 else { return "a directory that this user may read and write" }
        let names = DatabaseFile.suffixesOfDatabases.map { "history.sqlite" + $0 }
        for name in names + damagedNames + [
            "history.sqlite.rewritten", "history.sqlite.salvaged", "history.lock", "history.reserve", "key.sealed",
        ] {
            do throws(StoreError) { try DatabaseFile.requireRegular(directory + "/" + name) } catch {
                return "files of a history that are this user's: \(error.message)"
            }
        }
        return nil
    }

    /// Makes the database's file if it does not exist. SQLite would make it, and its log, readable for all users.
    func prepareDatabase() throws(StoreError) { try DatabaseFile.openPrivate(database) }
}

// MARK: - Presence

extension HistoryFiles {
    /// Returns the identity of the database's file.
    func identity() throws(StoreError) -> FileStatus.Identity {
        guard let identity = FileStatus.at(database)?.identity else { throw DatabaseFile.failure("look at", database) }
        return identity
    }

    /// Throws unless the database is still in its place.
    func require(_ identity: FileStatus.Identity) throws(StoreError) {
        guard FileStatus.at(database)?.identity == identity else {
            throw StoreError(
                .removed, "\(database) has been removed or replaced; restart to begin a new history")
        }
    }
}
