/// The directories below a directory, without following links. Plugins may have data there, even if they are not
/// configured any more.
package enum DirectoryTree {
    private static let depth = 8
    private static let most = 10_000

    /// The directory itself and those below it, sorted. An unreadable directory counts as having none below it.
    package static func directories(below root: String) -> [String] {
        var found: [String] = []
        var level = [root]
        for _ in 0..<depth where !level.isEmpty {
            level = level.filter { FileStatus.at($0)?.kind == .directory }.sorted()
            found += level.prefix(most - found.count)
            level = level.flatMap { directory in
                // The owner of the data there reports a directory that cannot be listed.
                ((try? PrivateFile.names(in: directory)) ?? []).map { "\(directory)/\($0)" }
            }
        }
        return found
    }
}
