package import TrackEngine

/// A marker file next to another file. It records that the other file is encrypted, so that a plain file in its place
/// is refused.
///
/// Anyone with access to the disk can remove the mark, and so can a user who wants a plain file to be accepted.
package struct EncryptionMark: Sendable {
    private let file: String

    /// The mark of a file, which need not exist.
    package init(of file: String) { self.file = file }

    private var path: String { file + ".encrypted" }

    /// Whether the file was encrypted before.
    package var isSet: Bool { FileStatus.at(path) != nil }

    /// Marks the file as encrypted, through to the disk.
    package func set() throws(StoreError) {
        guard !isSet else { return }
        let name = file.split(separator: "/").last ?? ""
        try DatabaseFile.replace(
            path, with: Array("\(name) is encrypted. Remove this file to have one in plain taken in its place.\n".utf8))
    }

    /// Removes the mark, so that a plain file is accepted again.
    package func remove() throws(StoreError) { try DatabaseFile.remove(path) }

    /// The expectation that a plain file does not meet, in words that complete "expected …".
    package var expectation: String {
        "the encrypted file \(file), which is now one in plain; to accept it, remove \(path)"
    }

    /// The error for a plain file.
    package var refusal: StoreError { StoreError(.wrongKey, "expected \(expectation)") }
}
