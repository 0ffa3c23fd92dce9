import TrackEngine
package import TrackEngineSettings

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What was configured from afar, in the state directory: whole or not there at all, whenever the machine stops.
package struct RemoteFile: Sendable {
    /// The file's name within the state directory.
    package static let name = "remote.json"
    /// The longest file, in bytes.
    private static let longest = 65_536

    private let directory: String
    /// Where it is.
    package var path: String { "\(directory)/\(Self.name)" }
    /// Where a damaged one is put for a person to look at; the one before lies beside it with `.old` behind its name.
    package var asidePath: String { path + ".corrupt" }

    /// The file of a state directory.
    package init(in directory: String) { self.directory = directory }

    /// What there is.
    package enum Content: Sendable, Hashable {
        case none
        case values(RemoteValues)
        /// A file that this program has not written so, or may not read. It is set aside before another is written.
        case damaged(String)
        /// No file, or one that cannot be read now. Nothing is written in its place.
        case unreadable(FileProblem)
    }

    /// Reads it.
    package func content() -> Content {
        do throws(SmallFile.Failure) {
            let bytes = try SmallFile.read(path, limit: Self.longest).bytes
            let expectation = "\(path): expected what \(Agent.current.name) has written"
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

    /// What holds by it, with what is wrong.
    package var standing: RemoteStanding {
        switch content() {
        case .none: RemoteStanding()
        case .values(let values): RemoteStanding(values)
        case .damaged(let problem):
            RemoteStanding(problem: problem + "; nothing of it holds, and it is set aside when the agent runs")
        case .unreadable(let problem): RemoteStanding(problem: "\(problem); nothing of it holds")
        }
    }

    /// What is kept; nothing where there is no file, or one that this program has not written.
    package func read() -> RemoteValues {
        if case .values(let values) = content() { values } else { RemoteValues() }
    }

    /// What is kept, for a change: a damaged file is set aside first.
    ///
    /// - Returns: the values, and in words what was set aside.
    /// - Throws: that it cannot be read; then nothing is to be written.
    package func readForChange() throws(FileProblem) -> (values: RemoteValues, warning: String?) {
        switch content() {
        case .none: return (RemoteValues(), nil)
        case .values(let values): return (values, nil)
        case .damaged: return (RemoteValues(), try setAside())
        case .unreadable(let problem): throw problem
        }
    }

    /// Renames it; returns what is to be said.
    package func setAside() throws(FileProblem) -> String {
        let (entry, aside) = (try FileProblem.entry(path, "set aside"), ".corrupt")
        _ = entry.rename(adding: aside, to: aside + ".old")  // where there is none, nothing is lost
        guard entry.rename(to: aside) else { throw FileProblem(path: path, action: "set aside", code: errno) }
        return "\(path) was damaged: nothing of it holds, and it is set aside as \(Self.name).corrupt"
    }

    /// Keeps it; returns when it is on the disk. What could not be read again is refused.
    package func write(_ values: RemoteValues) throws(FileProblem) {
        guard values.bytes.count <= Self.longest else { throw FileProblem(path: path, action: "write", code: EFBIG) }
        try StateDirectory.create(directory)
        try AtomicFile.write(values.bytes, to: path, isForOwner: true)
    }

    /// Where its values are given, for messages.
    package var origin: ConfigurationOrigin { .file(name: path, line: 0) }

    /// The layer of the configuration that it makes.
    package func layer(_ values: RemoteValues) -> ConfigurationNode? { values.layer(origin) }
}
