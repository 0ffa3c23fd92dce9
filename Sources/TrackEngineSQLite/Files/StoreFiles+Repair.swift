import SQLiteAccess
import TrackEngine

/// The files of a repair.
///
/// A damaged database stays in place until a complete copy of its readable rows is next to it:
///
/// 1. The rows are copied into ``copy``. Until step 2 a crash leaves the damaged database unchanged; the next start
///    removes the copy and begins again.
/// 2. The copy is synchronised and renamed to ``completedCopy``. From now on it is the store.
/// 3. The damaged files get other names, the database first, then its log and journal. The shared memory is removed.
/// 4. The copy gets the database's name.
///
/// A start that finds a completed copy continues with step 3, no matter which of its renames have happened.
extension StoreFiles {
    /// The unfinished copy of a damaged database.
    var copy: String { database + ".salvage" }
    /// A complete copy that has not replaced the database yet.
    var completedCopy: String { database + ".salvaged" }

    /// Whether a repair has completed its copy.
    var hasCompletedCopy: Bool { FileStatus.at(completedCopy) != nil }

    /// Whether there is a log without its database. SQLite would remove it.
    var hasOrphanedLog: Bool { DatabaseFile.size(of: log) > 0 && DatabaseFile.size(of: database) == 0 }

    /// Removes the remains of an interrupted copy.
    func removeCopy() throws(StoreError) {
        for suffix in ["", "-journal", "-wal", "-shm"] { try DatabaseFile.remove(copy + suffix) }
    }

    /// Step 2: the copy becomes the store.
    func completeCopy() throws(StoreError) {
        try DatabaseFile.sync(copy)
        try DatabaseFile.rename(copy, to: completedCopy)
    }

    /// Steps 3 and 4; returns the path of the damaged database.
    ///
    /// - Parameter now: the time in the damaged database's new name; `nil` for a number, if the name must not reveal a
    ///   time.
    func replaceDatabase(
        now: Timestamp?, didTake: (StoreEnvironment.Step) throws(StoreError) -> Void
    ) throws(StoreError) -> String {
        let aside = FileStatus.at(database) == nil ? unfinishedQuarantine ?? freshName(now) : freshName(now)
        for suffix in ["", "-wal", "-journal"] where FileStatus.at(database + suffix) != nil {
            try DatabaseFile.rename(database + suffix, to: aside + suffix)
            try didTake(.setAside(suffix))
        }
        try DatabaseFile.remove(sharedMemory)
        try DatabaseFile.rename(completedCopy, to: database)
        try didTake(.replacedDatabase)
        return aside
    }
}

// MARK: - Quarantine

extension StoreFiles {
    private static let mark = "track.sqlite.corrupt-"
    /// The prefix of a number in six digits. Such names sort after those with a time.
    private static let sealed = "sealed-"
    private static let suffixes = ["-wal", "-shm", "-journal"]
    /// The number of damaged databases that are kept for inspection.
    private static let kept = 2

    /// The damaged databases that have been set aside, oldest first: their names without those of their logs.
    var quarantined: [String] {
        var names: [String] = []
        for name in DatabaseFile.names(in: directory) where name.hasPrefix(Self.mark) {
            let suffix = Self.suffixes.first { name.hasSuffix($0) } ?? ""
            let base = String(name.dropLast(suffix.count))
            if !names.contains(base) { names.append(base) }
        }
        return names.sorted { Self.order($0) < Self.order($1) }
    }

    /// The sort key of a name. Names with the same second are numbered: `…Z`, `…Z.2`, …, `…Z.10`.
    private static func order(_ name: String) -> String {
        let parts = name.split(separator: ".")
        guard let number = parts.last.flatMap({ Int($0) }) else { return name + ".000000" }
        let digits = String(number)
        return parts.dropLast().joined(separator: ".") + "." + String(repeating: "0", count: max(0, 6 - digits.count))
            + digits
    }

    /// The size of the damaged databases on disk, in bytes.
    var quarantinedBytes: Int64 {
        DatabaseFile.names(in: directory).filter { $0.hasPrefix(Self.mark) }
            .reduce(0) { $0 + DatabaseFile.size(of: directory + "/" + $1) }
    }

    /// Removes the oldest damaged databases: all but two, and more while their total size exceeds `bytes`.
    ///
    /// Their readable rows are in the store; they are kept only for inspection.
    /// - Returns: the names of the removed databases.
    @discardableResult
    func limitQuarantine(to bytes: Int64?) throws(StoreError) -> [String] {
        var names = quarantined
        var removed: [String] = []
        while let oldest = names.first, names.count > Self.kept || (bytes.map { quarantinedBytes > $0 } ?? false) {
            for suffix in [""] + Self.suffixes { try DatabaseFile.remove(directory + "/" + oldest + suffix) }
            removed.append(names.removeFirst())
        }
        return removed
    }

    private func freshName(_ now: Timestamp?) -> String {
        guard let now else {
            let numbers = quarantined.compactMap { $0.hasPrefix(Self.mark + Self.sealed) ? Int($0.suffix(6)) : nil }
            let number = String((numbers.max() ?? 0) + 1)
            return "\(directory)/\(Self.mark)\(Self.sealed)" + String(repeating: "0", count: max(0, 6 - number.count))
                + number
        }
        let stamp = now.rfc3339(.seconds).filter { $0 != "-" && $0 != ":" }
        let base = "\(directory)/\(Self.mark)\(stamp)"
        let taken = Set(quarantined.map { directory + "/" + $0 })
        guard taken.contains(base) else { return base }
        return (2...).lazy.map { "\(base).\($0)" }.first { !taken.contains($0) } ?? base
    }

    /// The newest damaged database without a log: a crash may have happened between the two renames.
    private var unfinishedQuarantine: String? {
        quarantined.last.map { directory + "/" + $0 }.flatMap { FileStatus.at($0 + "-wal") == nil ? $0 : nil }
    }
}
