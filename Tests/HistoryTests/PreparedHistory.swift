import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// The files of a closed history, made once for several tests, each of which opens a copy.
struct PreparedHistory: Sendable {
    private var contents: [String: Data] = [:]

    /// The files of a history that `body` fills.
    static func made(
        _ key: StoreKey?, _ body: @Sendable (TrackHistory) async throws -> Void
    ) async throws -> PreparedHistory {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let history = try await TrackHistory.open(directory: directory, key: key)
            try await body(history)
            await history.close()
            var files = PreparedHistory()
            for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
                files.contents[name] = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))
            }
            return files
        }
    }

    func copy(to directory: String) throws {
        for (name, data) in contents {
            try #require(
                FileManager.default.createFile(
                    atPath: directory + "/" + name, contents: data, attributes: [.posixPermissions: 0o600]))
        }
    }
}
