import TrackEngine
import TrackEngineSettings

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The pause in the state directory: whole or not there at all, whenever the machine stops.
package struct PauseFile: Sendable {
    /// The file's name within the state directory.
    package static let name = "pause"

    private let directory: String
    /// Where it is.
    package var path: String { "\(directory)/\(Self.name)" }

    /// The file of a state directory.
    package init(in directory: String) { self.directory = directory }

    /// What is kept.
    package enum Content: Sendable, Hashable {
        case none
        case pause(KeptPause)
        /// Something that this program has not written, or that cannot be read, with the reason. Nobody can tell how long that
        /// pause was to last, so it lasts until it is resumed.
        case unreadable(String)
    }

    /// Reads it.
    package func read() -> Content {
        do throws(SmallFile.Failure) {
            let file = try SmallFile.read(path, limit: 4096)
            return KeptPause(file.bytes).map { .pause($0) } ?? .unreadable("\(path): expected what trackd has written")
        } catch .missing {
            return .none
        } catch {
            return .unreadable("\(path): expected \(error.expectation)")
        }
    }

    /// Keeps a pause; returns when it is on the disk. The file belongs to the owner of the directory, as whom the agent runs.
    package func write(_ pause: KeptPause) throws(FileProblem) {
        try StateDirectory.create(directory)
        try AtomicFile.write(pause.bytes, to: path, isForOwner: true)
    }

    /// Removes it. Where a crash brings it back it says the same as before: that the pause is over.
    package func remove() {
        _ = try? FileProblem.entry(path, "remove").remove()  // where there is no directory, there is no pause
    }
}
