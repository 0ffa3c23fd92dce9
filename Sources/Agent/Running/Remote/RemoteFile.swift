import TrackEngine
package import TrackEngineSettings

/// What was configured from afar, in the state directory: whole or not there at all, whenever the machine stops.
package struct RemoteFile: Sendable {
    /// The file's name within the state directory.
    package static let name = "remote.json"

    private let directory: String
    /// Where it is.
    package var path: String { "\(directory)/\(Self.name)" }

    /// The file of a state directory.
    package init(in directory: String) { self.directory = directory }

    /// What is kept; nothing where there is no file, or one that this program has not written.
    package func read() -> RemoteValues {
        do throws(SmallFile.Failure) {
            return RemoteValues(try SmallFile.read(path, limit: 65_536).bytes) ?? RemoteValues()
        } catch { return RemoteValues() }
    }

    /// Keeps it; returns when it is on the disk.
    package func write(_ values: RemoteValues) throws(FileProblem) {
        try StateDirectory.create(directory)
        try AtomicFile.write(values.bytes, to: path, owner: FileStatus.following(directory)?.owner)
    }

    /// The layer of the configuration that it makes.
    package func layer(_ values: RemoteValues) -> ConfigurationNode? { values.layer(.file(name: path, line: 0)) }
}
