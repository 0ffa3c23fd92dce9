/// The origin of this program. `scripts/build-trackd` replaces this file during a release build and restores it after, so a
/// build without git needs nothing.
extension Trackd {
    /// The commit and its day, such as `commit 0123456789ab of 2026-03-01`; empty if unknown.
    static let commit = ""

    /// The words in parentheses of `trackd --version`.
    static var build: String { "\(commit.isEmpty ? "commit unknown" : commit), \(configuration) build" }

    private static var configuration: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }
}
