import SealedFiles
package import TrackEngine
import TrackEnginePlaces
package import TrackEngineSettings

/// The added places in the state directory, GeoJSON, encrypted where the store is.
package struct KeptPlaceFile: Sendable {
    /// The file's name within the state directory.
    package static let name = "places.geojson"
    /// The longest file, in bytes.
    private static let longest = 15 << 20

    private let directory: String
    private let file: SealedFile

    /// The file of a state directory.
    ///
    /// - Parameter key: the store's; `nil` where the store is in plain.
    package init(in directory: String, key: StoreKey?) {
        self.directory = directory
        file = SealedFile("\(directory)/\(Self.name)", kind: StateDirectory.kind, limit: Self.longest, key: key)
    }

    /// What it holds; nothing where there is none. It blocks: not for the cooperative pool while the agent runs.
    ///
    /// - Throws: that it cannot be read, or that something in it is no place: nothing is to be written over it then.
    package func read() throws(PlaceRefusal) -> KeptPlaces {
        do throws(PrivateFileError) {
            guard let (bytes, _) = try file.read() else { return KeptPlaces() }
            let content = PlaceFile(bytes)
            // A file without a place in it is what the last removal leaves.
            if let problem = content.problems.first { throw PrivateFileError("\(file.path): \(problem)") }
            return KeptPlaces(content.places)
        } catch {
            throw PlaceRefusal("\(error)")
        }
    }

    /// Keeps places; returns when they are on the disk. It blocks.
    package func write(_ kept: KeptPlaces) throws(PlaceRefusal) {
        do throws(PrivateFileError) {
            let bytes = PlaceFile.geoJSON(kept.places)
            // What the next start could not read would be lost. What is too long is refused unread.
            if bytes.count <= Self.longest, let problem = PlaceFile(bytes).problems.first {
                throw PrivateFileError("\(problem); nothing was changed")
            }
            try file.replace(with: bytes)
        } catch {
            throw PlaceRefusal("\(error)")
        }
    }

    /// Changes what it holds, while no other program does. It blocks.
    package func change<Result>(
        _ body: (inout KeptPlaces) throws(PlaceRefusal) -> Result
    ) throws(PlaceRefusal) -> (kept: KeptPlaces, result: Result) {
        do throws(FileProblem) { try StateDirectory.create(directory) } catch { throw PlaceRefusal("\(error)") }
        let lock: Descriptor
        do throws(PrivateFileError) { lock = try PrivateFile.lock(file.path) } catch { throw PlaceRefusal("\(error)") }
        defer { withExtendedLifetime(lock) {} }
        var kept = try read()
        let before = kept
        let result = try body(&kept)
        if kept != before { try write(kept) }
        return (kept, result)
    }
}
