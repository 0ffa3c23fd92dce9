import Foundation

/// What tests find on the machine: folders, programs, recorded tracks.
package enum TestEnvironment {
    /// A fresh folder, removed when `body` returns.
    package static func withTemporaryDirectory<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let path = NSTemporaryDirectory() + "track-engine-" + UUID().uuidString
        // The mode is set and not left to the umask: while Foundation replaces a file, the whole process has none.
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: path) }  // a leftover in /tmp fails no test
        return try await body(path)
    }

    /// Whether this is the release build. What takes it seconds takes the other one half a minute; the heaviest tests, of which
    /// both would say the same, are made by the release build alone, or by it at length.
    package static let isOptimised: Bool = {
        #if DEBUG
            false
        #else
            true
        #endif
    }()

    /// Whether what a process holds is what it would hold for a user: the address sanitizer keeps what is freed.
    package static let memoryCounts = isOptimised && ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil

    /// A program that the package builds, from the folder in which the tests were built.
    package static func builtProduct(_ name: String) -> String {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return tests.appendingPathComponent(name).path
    }

    /// A recorded track beside the checkout; `nil` where that folder is missing.
    package static func corpus(_ name: String, file: StaticString = #filePath) -> String? {
        let root = URL(fileURLWithPath: "\(file)").deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let candidates = [
            root.path + "/../shared/corpus/" + name,
            FileManager.default.currentDirectoryPath + "/../shared/corpus/" + name,
        ]
        return candidates.first { FileManager.default.fileExists(atPath: $0) }
    }
}
