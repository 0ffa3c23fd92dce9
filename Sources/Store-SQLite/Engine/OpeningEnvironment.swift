import SQLiteAccess
package import TrackEngine

/// What opening a store meets outside the store. Tests put failures and sudden ends in its way.
package struct OpeningEnvironment: Sendable {
    /// What stands in the way.
    package typealias Failure = StoreError

    /// A step of a repair or a change of key, after which the files on disk are others than before.
    package enum Step: Hashable, Sendable {
        /// The copy exists and has its tables.
        case beganCopy
        /// The copy's transaction holds so many rows.
        case copiedRows(Int)
        /// The copy is written and closed, not yet through to the disk.
        case wroteCopy
        /// The copy is complete on the disk and has the name that says so.
        case completedCopy
        /// One of the damaged database's files has been set aside.
        case setAside(String)
        /// A change of key has so many records in its new database.
        case rewroteRows(Int)
        /// The new database of a change of key is complete on the disk and has the name that says so.
        case completedRewrite
        /// A file with what was written before a change of key has been overwritten and removed.
        case erased(String)
        /// The copy has the database's name.
        case replacedDatabase
    }

    /// Called after each step of a repair or a change of key. What it throws ends the opening there, as a failing system call would.
    package var didTake: @Sendable (Step) throws(Failure) -> Void = { _ throws(Failure) in }
    /// Called with the path before each block that the store reads by itself; what it throws is that read's error.
    package var willRead: @Sendable (String) throws(Failure) -> Void = { _ throws(Failure) in }
    /// How long the store waits before it tries again to open a database that gives read errors; after the last attempt
    /// it gives up. 3 s together by default: a bus or a card that was reset has come back by then.
    package var pauses: [Duration] = [50, 100, 250, 600, 1_000, 1_000].map { .milliseconds($0) }
    /// Waits for so long on the store's own thread.
    package var wait: @Sendable (Duration) -> Void = { PosixFile.wait($0) }

    package init() {}
}
