package import Glibc

/// The replacement of a file as a whole: a crash or a power cut leaves either the old or the new contents.
extension DirectoryEntry {
    /// The placement of a new file.
    package enum Placement: Sendable {
        /// Replaces an existing file.
        case replacing
        /// Only if there is no file; otherwise placing it fails with `EEXIST`.
        case creating
    }

    /// A failed step of a replacement.
    package struct ReplacementError: Error, Sendable, Hashable {
        /// The steps of a replacement.
        package enum Step: Sendable, Hashable {
            /// Creates the file under its temporary name.
            case create
            /// Writes the contents through to the disk.
            case write
            /// Gives the file its name.
            case place
        }

        package let step: Step
        /// The system's error number (errno(3)).
        package let code: Int32

        init(_ step: Step) {
            self.step = step
            code = errno
        }
    }

    /// Writes a file under the name and a suffix, through to the disk, and gives it the name. The caller makes the
    /// names durable (``sync()``), and removes the temporary file after a failure.
    ///
    /// - Parameters:
    ///   - temporary: the suffix of the temporary name, which no file may have.
    ///   - isForOwner: whether the file belongs to the directory's owner if root writes it.
    /// - Returns: the status of the new file.
    @discardableResult
    package func place(
        _ bytes: [UInt8], as temporary: String, mode: mode_t = 0o600, isForOwner: Bool = true,
        _ placement: Placement = .replacing
    ) throws(ReplacementError) -> FileStatus {
        guard let file = open(O_WRONLY | O_CREAT | O_EXCL, adding: temporary) else { throw ReplacementError(.create) }
        if isForOwner { giveToOwner(file) }
        guard file.write(bytes), fchmod(file.raw, mode) == 0, file.sync() else { throw ReplacementError(.write) }
        let isPlaced =
            switch placement {
            case .replacing: rename(adding: temporary, to: "")
            case .creating: link(adding: temporary, to: "")
            }
        // The new name changes the status.
        guard isPlaced, let status = file.status else { throw ReplacementError(.place) }
        return status
    }
}
