import Encryption
package import TrackEngine
import TrackEnginePlaces
package import TrackEngineSettings

/// The added places in the state directory, as GeoJSON, encrypted if the store is.
package struct SavedPlaceFile: Sendable {
    /// The file's name within the state directory.
    package static let name = "places.geojson"
    /// The longest file, in bytes.
    private static let longest = 15 << 20

    private let directory: String
    private let file: EncryptedFile

    /// The file of a state directory.
    ///
    /// - Parameter key: the store's key; `nil` if the store is in plain.
    package init(in directory: String, key: StoreKey?) {
        self.directory = directory
        file = EncryptedFile("\(directory)/\(Self.name)", kind: StateDirectory.kind, limit: Self.longest, key: key)
    }

    /// Reads the places; empty if there is no file. Blocking: not for the cooperative pool while the agent runs.
    ///
    /// - Throws: if the file cannot be read or contains an invalid place; it must not be overwritten then.
    package func read() throws(PlaceRejection) -> SavedPlaces {
        do throws(PrivateFileError) {
            guard let (bytes, _) = try file.read() else { return SavedPlaces() }
            let content = PlaceFile(bytes)
            // The last removal leaves a file without places.
            if let problem = content.problems.first { throw PrivateFileError("\(file.path): \(problem)") }
            return SavedPlaces(content.places)
        } catch {
            throw PlaceRejection("\(error)")
        }
    }

    /// Saves places; returns when they are on the disk. Blocking.
    package func write(_ kept: SavedPlaces) throws(PlaceRejection) {
        do throws(PrivateFileError) {
            let bytes = PlaceFile.geoJSON(kept.places)
            // Content that the next start could not read would be lost. Content that is too long is refused without
            // this check.
            if bytes.count <= Self.longest, let problem = PlaceFile(bytes).problems.first {
                throw PrivateFileError("\(problem); the places are unchanged")
            }
            try file.replace(with: bytes)
        } catch {
            throw PlaceRejection("\(error)")
        }
    }

    /// Changes the places under a lock that excludes other programs. Blocking.
    package func change<Result>(
        _ body: (inout SavedPlaces) throws(PlaceRejection) -> Result
    ) throws(PlaceRejection) -> (kept: SavedPlaces, result: Result) {
        do throws(FileProblem) { try StateDirectory.create(directory) } catch { throw PlaceRejection("\(error)") }
        let lock: FileLock
        do throws(PrivateFileError) { lock = try PrivateFile.lock(file.path) } catch {
            throw PlaceRejection("\(error)")
        }
        defer { withExtendedLifetime(lock) {} }
        var kept = try read()
        let before = kept
        let result = try body(&kept)
        if kept != before { try write(kept) }
        return (kept, result)
    }
}
