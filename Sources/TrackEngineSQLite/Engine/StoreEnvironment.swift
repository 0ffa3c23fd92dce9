import SQLiteAccess
package import TrackEngine

/// The environment in which a store is opened. Tests use it to inject failures and crashes.
package struct StoreEnvironment: Sendable {
    /// An injected failure.
    package typealias Failure = StoreError

    /// A step of a repair or a change of key, which changes the files on disk.
    package enum Step: Hashable, Sendable {
        /// The copy exists and has its tables.
        case beganCopy
        /// The copy's transaction holds this number of rows.
        case copiedRows(Int)
        /// The copy is written and closed, but not yet synchronised to the disk.
        case wroteCopy
        /// The copy is complete on the disk and has its final name.
        case completedCopy
        /// One of the damaged database's files has been set aside.
        case setAside(String)
        /// The new database of a change of key holds this number of records.
        case rewroteRows(Int)
        /// The new database of a change of key is complete on the disk and has its final name.
        case completedRewrite
        /// A file with data from before a change of key has been overwritten and removed.
        case erased(String)
        /// The copy has the database's name.
        case replacedDatabase
    }

    /// Called after each step of a repair or a change of key. An error ends the opening at that step, like a failing
    /// system call.
    package var didTake: @Sendable (Step) throws(Failure) -> Void = { _ throws(Failure) in }
    /// Called with the path before each block that the store reads itself; an error is treated as an error of that
    /// read.
    package var willRead: @Sendable (String) throws(Failure) -> Void = { _ throws(Failure) in }
    /// The pauses before each new attempt to open a database with read errors; after the last attempt the store gives
    /// up. 3 s in total by default: a bus or a card that was reset is available again by then.
    package var pauses: [Duration] = [50, 100, 250, 600, 1_000, 1_000].map { .milliseconds($0) }
    /// Waits for a duration on the store's own thread.
    package var wait: @Sendable (Duration) -> Void = { DatabaseFile.wait($0) }

    package init() {}
}
