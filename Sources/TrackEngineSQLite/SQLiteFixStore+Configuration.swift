public import TrackEngine

extension SQLiteFixStore {
    /// The location of the files of an ``SQLiteFixStore``, and its commit interval.
    ///
    /// The limits of its contents are in ``/TrackEngine/RetentionConfiguration``, which the tracker gives to every
    /// store.
    public struct Configuration: Sendable, Hashable {
        /// The path of the directory. It gets mode 0700 and its files get 0600, regardless of the umask.
        public var directory: String
        /// The time for which appends wait to share a commit; up to 60 s is useful. Default zero: each append is
        /// committed at once. See ``SQLiteFixStore/gatherAppends(for:on:)``, which changes it later.
        public var commitInterval = Duration.zero

        /// The key that encrypts the store; `nil`, the default, keeps records unencrypted. An unencrypted store is
        /// encrypted when it is opened with a key, which temporarily needs its size again on the disk.
        public var key: StoreKey?

        /// A configuration with the defaults.
        public init(directory: String) {
            self.directory = directory
        }
    }
}
