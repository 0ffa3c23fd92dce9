import SQLiteAccess
package import TrackEngine

/// What a history meets outside of itself. Tests put failures and sudden ends in its way.
package struct HistoryEnvironment: Sendable {
    /// What stands in the way.
    package typealias Failure = StoreError

    /// A step that changes what a history's files are.
    package enum Step: Sendable, Hashable {
        /// The file with the key has been written.
        case wroteKey
        /// The new database has so many points.
        case rewrote(Int)
        /// The new database is complete on the disk and has the name that says so.
        case completedRewrite
        /// A file with what was written before has been overwritten and removed.
        case erased
        /// The new database has the old one's name.
        case replacedDatabase
        /// The file with the key has been removed.
        case removedKey
    }

    /// Called after each step. What it throws ends the work there, as a failing system call would.
    package var didTake: @Sendable (Step) throws(Failure) -> Void = { _ throws(Failure) in }

    /// How long a question may take in all.
    package var patience = Duration.seconds(180)

    /// How many bytes are free for a history that is written anew because it is damaged.
    package var roomForSalvage: @Sendable (String) -> Int64 = { PosixFile.space(at: $0)?.free ?? 0 }

    package init() {}
}
