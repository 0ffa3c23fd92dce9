import SQLiteAccess
import TrackEngine

/// The damaged databases that rewrites replaced, each with its log if it had one, and damaged logs of others.
///
/// An expert may still be able to read more of them: each holds points that no other one has. Because they also hold
/// points that users remove later, and an unreadable page may hold those of any device, a removal erases all of them.
/// Each is removed when all of it is too old for the retention. On a full disk they are removed first.
extension HistoryFiles {
    /// The names that damaged databases get, the oldest first. While all are taken, a damaged history is not rewritten.
    static let damagedNames = ["", ".2", ".3", ".4"].map { "history.sqlite.damaged" + $0 }

    private var damagedPaths: [String] { Self.damagedNames.map { directory + "/" + $0 } }

    /// The parts of a database that are kept. Its own name is the last one, so that an interrupted renaming or removal
    /// is completed under the same name.
    private static let keptSuffixes = ["-wal", ""]

    /// The paths of the damaged databases.
    var damagedCopies: [String] { damagedPaths.filter { FileStatus.at($0) != nil } }

    /// Whether one more damaged database can be kept.
    var hasRoomForDamaged: Bool { freeDamagedPath != nil }

    private var freeDamagedPath: String? { damagedPaths.first { FileStatus.at($0) == nil } }

    /// Renames the database, unless that was done, once the rewritten one is complete.
    func setDamagedAside(_ environment: HistoryEnvironment) throws(StoreError) {
        guard FileStatus.at(database) != nil else { return }
        guard let path = freeDamagedPath else { throw tooManyDamaged }
        for suffix in Self.keptSuffixes where FileStatus.at(database + suffix) != nil {
            try DatabaseFile.rename(database + suffix, to: path + suffix)
            try environment.didTake(.setAside)
        }
    }

    /// Copies the log as a damaged database, unless there is such a copy. A log has numbers of its own in its header,
    /// which change with each use.
    func keepLog(_ environment: HistoryEnvironment) throws(StoreError) {
        func head(_ path: String) -> [UInt8] { DatabaseFile.head(of: path, count: 32) }
        let size = DatabaseFile.size(of: log)
        guard !damagedCopies.contains(where: { DatabaseFile.size(of: $0) == size && head($0) == head(log) }) else {
            return
        }
        guard let path = freeDamagedPath, let source = try ReadOnlyFile(log) else { throw tooManyDamaged }
        guard environment.roomForSalvage(directory) > size else {
            throw StoreError(
                .damaged,
                "\(log) is damaged; to keep a copy of it takes \(size >> 10) KiB, which the disk has not: make room, and start again"
            )
        }
        // An opening erases a file with this name.
        let copy = try DatabaseFile.openPrivate(rewrite, truncating: true)
        var offset: Int64 = 0
        while offset < size {
            let bytes = try source.bytes(at: offset, count: 1 << 18)
            guard !bytes.isEmpty, copy.write(bytes) else { throw DatabaseFile.failure("write", rewrite) }
            offset += Int64(bytes.count)
        }
        guard copy.sync() else { throw DatabaseFile.failure("sync", rewrite) }
        try DatabaseFile.rename(rewrite, to: path)
        try environment.didTake(.setAside)
    }

    /// Removes a complete rewrite of a damaged database that has not been replaced.
    func discardSalvage() throws(StoreError) {
        // Under this name, one that is half overwritten is never taken for the history.
        if replacement == completedSalvage { try DatabaseFile.rename(completedSalvage, to: rewrite) }
        try removeRewrite()
    }

    /// The error for one more damaged database than can be kept.
    var tooManyDamaged: StoreError {
        StoreError(
            .damaged,
            "\(database): expected fewer than \(Self.damagedNames.count) damaged copies beside it; move them away to have it written anew"
        )
    }

    /// Overwrites and removes the damaged databases, or those of them that were last modified before a time, so that
    /// all of each is older. Returns whether there were any.
    @discardableResult
    func removeDamaged(olderThan time: Timestamp? = nil) throws(StoreError) -> Bool {
        var hasRemoved = false
        for path in damagedPaths {
            if let time, let status = FileStatus.at(path), status.modified >= time { continue }
            for suffix in Self.keptSuffixes where try DatabaseFile.erase(path + suffix) { hasRemoved = true }
        }
        return hasRemoved
    }
}
