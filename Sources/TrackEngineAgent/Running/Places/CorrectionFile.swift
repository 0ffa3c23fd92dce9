import Encryption
import TrackEngine
import TrackEnginePlaces
import TrackEngineSettings

/// The user's corrections in the state directory, encrypted if the store is.
struct CorrectionFile: Sendable {
    /// The file's name within the state directory.
    package static let name = "corrections.json"
    /// The longest file, in bytes: room for ten thousand names of 256 bytes, and more.
    private static let longest = 8 << 20

    private let directory: String
    private let file: EncryptedFile

    /// The file of a state directory.
    ///
    /// - Parameter key: the store's key; `nil` if the store is in plain.
    package init(in directory: String, key: StoreKey?) {
        self.directory = directory
        file = EncryptedFile("\(directory)/\(Self.name)", kind: StateDirectory.kind, limit: Self.longest, key: key)
    }

    /// Reads the corrections; empty if there is no file. Blocking: not for the cooperative pool while the agent runs.
    ///
    /// - Throws: if the file cannot be read or has another format; it must not be overwritten then.
    package func read() throws(PlaceRejection) -> CorrectionLog {
        let bytes: [UInt8]
        do throws(PrivateFileError) {
            guard let read = try file.read() else { return CorrectionLog() }
            bytes = read.bytes
        } catch {
            throw PlaceRejection("\(error)")
        }
        do throws(CorrectionProblem) { return try CorrectionLog(json: bytes) } catch {
            throw PlaceRejection("\(file.path): \(error)")
        }
    }

    /// Changes the corrections under a lock that excludes other programs. Blocking.
    package func take(_ order: Correction.Order) throws(PlaceRejection) {
        do throws(FileProblem) { try StateDirectory.create(directory) } catch { throw PlaceRejection("\(error)") }
        do throws(PrivateFileError) {
            let lock = try PrivateFile.lock(file.path)
            defer { withExtendedLifetime(lock) {} }
            var book: CorrectionLog
            do throws(PlaceRejection) { book = try read() } catch { throw PrivateFileError(error.description) }
            do throws(CorrectionProblem) { try book.take(order) } catch { throw PrivateFileError(error.description) }
            try file.replace(with: book.json)
        } catch {
            throw PlaceRejection("\(error)")
        }
    }
}
