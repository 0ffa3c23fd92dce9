import SealedFiles
package import TrackEngine
package import TrackEnginePlaces
package import TrackEngineSettings

/// What people have corrected, in the state directory, encrypted where the store is.
package struct CorrectionFile: Sendable {
    /// The file's name within the state directory.
    package static let name = "corrections.json"
    /// The longest file, in bytes: ten thousand names of 256 bytes, and more.
    private static let longest = 8 << 20

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
    /// - Throws: that it cannot be read, or is not what was written: nothing is to be written over it then.
    package func read() throws(PlaceRefusal) -> CorrectionBook {
        let bytes: [UInt8]
        do throws(PrivateFileError) {
            guard let read = try file.read() else { return CorrectionBook() }
            bytes = read.bytes
        } catch {
            throw PlaceRefusal("\(error)")
        }
        do throws(CorrectionProblem) { return try CorrectionBook(json: bytes) } catch {
            throw PlaceRefusal("\(file.path): \(error)")
        }
    }

    /// Changes what it holds, while no other program does. It blocks.
    package func take(_ order: Correction.Order) throws(PlaceRefusal) {
        do throws(FileProblem) { try StateDirectory.create(directory) } catch { throw PlaceRefusal("\(error)") }
        do throws(PrivateFileError) {
            let lock = try PrivateFile.lock(file.path)
            defer { withExtendedLifetime(lock) {} }
            var book: CorrectionBook
            do throws(PlaceRefusal) { book = try read() } catch { throw PrivateFileError(error.description) }
            do throws(CorrectionProblem) { try book.take(order) } catch { throw PrivateFileError(error.description) }
            try file.replace(with: book.json)
        } catch {
            throw PlaceRefusal("\(error)")
        }
    }
}
