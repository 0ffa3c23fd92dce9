package import TrackEngine

/// A directory as a place for a store, looked at without opening or making anything.
package struct StorePlace: Sendable {
    private let files: StoreFiles

    /// The place at a path; nothing need be there.
    package init(directory: String) { files = StoreFiles(directory: directory) }

    /// Why the store would refuse one of its files: it is no regular file, or another user's. `nil` where all can be used.
    package var refusal: StoreError? {
        do throws(StoreError) {
            try files.requireRegular()
            return nil
        } catch {
            return error
        }
    }

    /// Whether the store leaves the directory's mode alone, because there is something in it that others may read.
    package var keepsMode: Bool { files.holdsOtherFiles }

    /// The paths of the files that a store makes.
    package var paths: [String] { files.opened + [files.reserve] }
}
