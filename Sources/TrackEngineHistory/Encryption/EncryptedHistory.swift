package import TrackEngine
import TrackEngineSettings

/// The directory of a history that may be encrypted and that no process has open.
package struct EncryptedHistory: EncryptedDirectory {
    package let path: String
    private let companions: [String]
    private let environment: HistoryEnvironment

    /// The directory of a history that no process has open.
    ///
    /// - Parameters:
    ///   - directory: the history's directory.
    ///   - companions: the names of the files in it that are encrypted with the history (see ``EncryptedHistoryFile``),
    ///     in addition to those that are found there.
    ///   - environment: the environment, which injects failures in tests.
    package init(
        directory: String, companions: [String] = [], environment: HistoryEnvironment = HistoryEnvironment()
    ) {
        path = directory
        self.companions = companions
        self.environment = environment
    }

    package func admit(_ key: StoreKey, beside old: StoreKey?) async throws(StoreError) {
        try await withFiles { files throws(StoreError) in
            guard var file = try HistoryKeyFile.read(files.key), try file.key(openedBy: key) == nil else { return }
            guard let own = try old.flatMap({ old throws(StoreError) in try file.key(openedBy: old) }) else {
                guard HistoryOpener.isEncrypted(files, file) else { return }
                guard let old else { throw HistoryKeyGuard.missing }
                throw try file.isDamaged(for: old) ? HistoryKeyGuard.damaged(files.key) : HistoryKeyGuard.wrong
            }
            try file.add(own, under: key)
            try file.write(to: files.key)
            try environment.didTake(.wroteKey)
        }
    }

    package func restrict(to key: StoreKey) async throws(StoreError) {
        try await withFiles { files throws(StoreError) in
            guard let file = try HistoryKeyFile.read(files.key), file.count > 1 else { return }
            guard let own = try file.key(openedBy: key) else { throw HistoryKeyGuard.wrong }
            try HistoryKeyFile(own, under: key).write(to: files.key)
            try environment.didTake(.wroteKey)
        }
    }

    package func decrypt(with key: StoreKey?) async throws(StoreError) {
        try await withFiles { files throws(StoreError) in
            let names = Set(companions + EncryptedHistoryFile.names(in: path)).sorted()
            try HistoryOpener(files: files, key: key, environment: environment)
                .decrypt(companions: names.map { path + "/" + $0 })
        }
    }

    /// Returns the histories in a directory and those below it, of any origin.
    package static func found(below directory: String) -> [EncryptedHistory] {
        DirectoryTree.directories(below: directory).filter(HistoryFiles.hasHistory).map {
            EncryptedHistory(directory: $0)
        }
    }

    /// Locks the directory for blocking work, if it contains a history.
    private func withFiles(
        _ body: @escaping @Sendable (HistoryFiles) throws(StoreError) -> Void
    ) async throws(StoreError) {
        guard HistoryFiles.hasHistory(in: path) else { return }
        try await TrackHistory.perform { [path] () throws(StoreError) in
            try body(try HistoryFiles(directory: path))
        }
    }
}
