import SQLiteAccess
package import TrackEngine

/// The environment of a history. Tests inject failures and sudden ends.
package struct HistoryEnvironment: Sendable {
    /// The error that ends a step.
    package typealias Failure = StoreError

    /// A step that changes the state of a history's files.
    package enum Step: Sendable, Hashable {
        /// The key file has been written.
        case wroteKey
        /// The new database has this number of points.
        case rewrote(Int)
        /// The new database is complete on the disk and has the name of a complete one.
        case completedRewrite
        /// A file of a damaged old database has got the name under which it is kept.
        case setAside
        /// A file of the old database has been overwritten and removed.
        case erased
        /// The new database has the old one's name.
        case replacedDatabase
        /// The key file has been removed.
        case removedKey
    }

    /// Called after each step. An error ends the work there, as a failing system call would.
    package var didTake: @Sendable (Step) throws(Failure) -> Void = { _ throws(Failure) in }

    /// The time limit of a query.
    package var patience = Duration.seconds(180)

    /// Called at intervals during a query, on the thread of the history, before the check whether its caller waits.
    package var willLook: @Sendable () -> Void = {}

    /// The free space, in bytes, for rewriting a damaged history in a directory.
    package var roomForSalvage: @Sendable (String) -> Int64 = { DatabaseFile.space(at: $0)?.free ?? 0 }

    package init() {}
}
