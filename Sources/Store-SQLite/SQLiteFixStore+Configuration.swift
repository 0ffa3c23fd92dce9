public import TrackEngine

extension SQLiteFixStore {
    /// Where an ``SQLiteFixStore`` keeps its files, and how often it commits.
    ///
    /// What it may hold is ``/TrackEngine/RetentionConfiguration``, which the tracker tells every store.
    public struct Configuration: Sendable, Hashable {
        /// A path; the directory gets mode 0700 and the files in it 0600, whatever the umask is.
        public var directory: String
        /// How long appends wait for each other, so that they share a commit; up to 60 s is useful. Default zero: each
        /// append is committed at once. ``SQLiteFixStore/gatherAppends(for:on:)`` says more and changes it later.
        public var commitInterval = Duration.zero

        /// What the store is encrypted with; `nil`, the default, keeps records in plain. A store that is in plain is encrypted
        /// when it is opened with a key, which takes its size again on the disk for that moment.
        public var key: StoreKey?

        /// A configuration with the defaults.
        public init(directory: String) {
            self.directory = directory
        }
    }
}
