import TrackEngine
import TrackEngineSettings

/// The file of the pause in the state directory: complete or absent, whenever the machine stops.
package struct PauseFile: Sendable {
    /// The file's name within the state directory.
    package static let name = "pause"

    private let directory: String
    /// The file's path.
    package var path: String { "\(directory)/\(Self.name)" }

    /// The file of a state directory.
    package init(in directory: String) { self.directory = directory }

    /// The content of the file.
    package enum Content: Sendable, Hashable {
        case none
        case pause(SavedPause)
        /// A file that this program has not written, or that cannot be read, with the reason. The length of that
        /// pause is unknown, so it lasts until it is resumed.
        case unreadable(String)
    }

    package func read() -> Content {
        do throws(FileContent.Failure) {
            let file = try FileContent.read(path, limit: 4096)
            return SavedPause(file.bytes).map { .pause($0) }
                ?? .unreadable("\(path): expected a file that trackd has written")
        } catch .missing {
            return .none
        } catch {
            return .unreadable("\(path): expected \(error.expectation)")
        }
    }

    /// Saves a pause; returns when it is on the disk. The file belongs to the owner of the directory, the user that
    /// the agent runs as.
    package func write(_ pause: SavedPause) throws(FileProblem) {
        try StateDirectory.create(directory)
        try AtomicFile.write(pause.bytes, to: path, isForOwner: true)
    }

    /// Removes the file. If a crash restores it, its content is unchanged: the pause is over.
    package func remove() {
        _ = try? FileProblem.entry(path, "remove").remove()  // without a directory there is no pause
    }
}
