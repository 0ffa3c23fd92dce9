package import TrackEngine
import TrackEngineSettings

/// Files of one directory that are encrypted as the store is: some, by their names, or all.
package struct EncryptedFiles: EncryptedDirectory {
    private let directory: String
    private let names: [String]?
    private let kind: String?
    private let environment: EncryptedFileEnvironment

    /// Files that may be there.
    ///
    /// - Parameters:
    ///   - directory: their directory.
    ///   - names: their names; `nil` for all in the directory, but not in those below it.
    ///   - kind: the kind of files that they belong to; `nil` for the name of the directory.
    ///   - environment: a hook after each step on disk, for tests.
    package init(
        in directory: String, names: [String]? = nil, kind: String? = nil,
        environment: EncryptedFileEnvironment = EncryptedFileEnvironment()
    ) {
        self.directory = directory
        self.names = names
        self.kind = kind
        self.environment = environment
    }

    package var path: String { names?.first.map { "\(directory)/\($0)" } ?? directory }

    package func encrypt(under key: StoreKey) async throws(StoreError) {
        try each(key) { file throws(PrivateFileError) in
            try file.encrypt()
            try file.restrict()  // drops the other key of an abandoned change of key
        }
    }

    package func admit(_ key: StoreKey, beside old: StoreKey?) async throws(StoreError) {
        try each(old) { file throws(PrivateFileError) in try file.admit(key) }
    }

    package func restrict(to key: StoreKey) async throws(StoreError) {
        try each(key) { file throws(PrivateFileError) in try file.restrict() }
    }

    package func decrypt(with key: StoreKey?) async throws(StoreError) {
        try each(key) { file throws(PrivateFileError) in try file.decrypt() }
    }

    /// Runs a change on each file under the file's lock. A file that does not open does not prevent the change of the
    /// others.
    private func each(
        _ key: StoreKey?, _ body: (EncryptedFile) throws(PrivateFileError) -> Void
    ) throws(StoreError) {
        do throws(PrivateFileError) {
            var refusal: PrivateFileError?
            for name in try present() {
                let path = "\(directory)/\(name)"
                let lock = try PrivateFile.lock(path)
                defer { withExtendedLifetime(lock) {} }
                do throws(PrivateFileError) {
                    try body(EncryptedFile(path, kind: kind, key: key, environment: environment))
                } catch {
                    // An unreadable file that was set aside does not matter.
                    if PrivateFile.isSetAside(name) { continue }
                    guard error.isWrongKey else { throw error }
                    refusal = refusal ?? error
                }
            }
            if let refusal { throw refusal }
        } catch {
            throw StoreError(error.isWrongKey ? .wrongKey : .inputOutput, error.description)
        }
    }

    /// The files that exist, and those with remains of an interrupted change.
    private func present() throws(PrivateFileError) -> [String] {
        var found: Set<String> = []
        for entry in try PrivateFile.names(in: directory) {
            guard !entry.hasSuffix(".lock") else { continue }
            var name = entry
            for end in [".new", ".plain", EncryptedFile.counted] where name.hasSuffix(end) {
                name.removeLast(end.count)
            }
            found.insert(name)
        }
        return found.filter { names?.contains($0) ?? true }.sorted()
    }

    /// Returns the sealed files of a name in a directory and those below it, regardless of their origin.
    package static func found(named name: String, below directory: String) -> [EncryptedFiles] {
        DirectoryTree.directories(below: directory).compactMap { directory in
            EncryptedFile("\(directory)/\(name)", key: nil).isSealed
                ? EncryptedFiles(in: directory, names: [name]) : nil
        }
    }
}
