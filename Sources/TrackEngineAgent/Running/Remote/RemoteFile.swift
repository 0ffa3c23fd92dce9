import Glibc
import TrackEngine
package import TrackEngineSettings

/// The file of the remote settings in the state directory: complete or absent, whenever the machine stops.
package struct RemoteFile: Sendable {
    /// The file's name within the state directory.
    package static let name = "remote.json"
    /// The longest file, in bytes.
    private static let longest = 65_536

    private let directory: String
    /// The file's path.
    package var path: String { "\(directory)/\(Self.name)" }
    /// The path of a damaged file that was set aside for the user. The one before it has `.old` after this name.
    package var asidePath: String { path + ".corrupt" }

    /// The file of a state directory.
    package init(in directory: String) { self.directory = directory }

    /// The content of the file.
    package enum Content: Sendable, Hashable {
        case none
        case values(RemoteValues)
        /// A file that this program has not written in this form, or may not read. It is set aside before another is
        /// written.
        case damaged(String)
        /// A path that is not a regular file, or a file that cannot be read now. It is not overwritten.
        case unreadable(FileProblem)
    }

    /// Reads the file.
    package func content() -> Content {
        do throws(FileContent.Failure) {
            let bytes = try FileContent.read(path, limit: Self.longest).bytes
            let expectation = "\(path): expected a file that \(Agent.current.name) has written"
            return RemoteValues(bytes).map { .values($0) } ?? .damaged(expectation)
        } catch {
            switch error {
            case .missing: return .none
            case .tooLarge, .system(EACCES): return .damaged("\(path): expected \(error.expectation)")
            case .notRegular:
                return .unreadable(FileProblem(path: path, action: "read as a regular file", code: EINVAL))
            case .system(let code): return .unreadable(FileProblem(path: path, action: "read", code: code))
            }
        }
    }

    /// The remote settings by this file, with its problem.
    package var standing: RemoteStatus {
        switch content() {
        case .none: RemoteStatus()
        case .values(let values): RemoteStatus(values)
        case .damaged(let problem):
            RemoteStatus(problem: problem + "; none of its values hold, and it is set aside when the agent runs")
        case .unreadable(let problem): RemoteStatus(problem: "\(problem); none of its values hold")
        }
    }

    /// The saved values; empty if there is no valid file.
    package func read() -> RemoteValues {
        if case .values(let values) = content() { values } else { RemoteValues() }
    }

    /// Reads the saved values for a change; a damaged file is set aside first.
    ///
    /// - Returns: the values, and a message if a file was set aside.
    /// - Throws: if the file cannot be read; it must not be written then.
    func readForChange() throws(FileProblem) -> (values: RemoteValues, warning: String?) {
        switch content() {
        case .none: return (RemoteValues(), nil)
        case .values(let values): return (values, nil)
        case .damaged: return (RemoteValues(), try setAside())
        case .unreadable(let problem): throw problem
        }
    }

    /// Renames the damaged file; returns a message about it.
    package func setAside() throws(FileProblem) -> String {
        let (entry, aside) = (try FileProblem.entry(path, "set aside"), ".corrupt")
        _ = entry.rename(adding: aside, to: aside + ".old")  // fails if there is no earlier one, which does no harm
        guard entry.rename(to: aside) else { throw FileProblem(path: path, action: "set aside", code: errno) }
        return "\(path) was damaged: none of its values hold, and it is set aside as \(Self.name).corrupt"
    }

    /// Saves values; returns when they are on the disk. Values too long to be read again are refused.
    package func write(_ values: RemoteValues) throws(FileProblem) {
        guard values.bytes.count <= Self.longest else { throw FileProblem(path: path, action: "write", code: EFBIG) }
        try StateDirectory.create(directory)
        try AtomicFile.write(values.bytes, to: path, isForOwner: true)
    }

    /// The origin of the values, for messages.
    package var origin: ConfigurationOrigin { .file(name: path, line: 0) }

    package func layer(_ values: RemoteValues) -> ConfigurationNode? { values.layer(origin) }
}
