import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings
import TrackEngineTestKit

/// `trackd run` in a folder of its own, with what it prints.
final class RunningAgent: Sendable {
    let folder: String
    let child: ChildProcess

    /// Starts it with a configuration, which is written to `trackd.yaml` in the folder.
    init(
        _ folder: String, _ yaml: String, arguments: [String] = [], environment: [String: String] = [:]
    ) throws {
        self.folder = folder
        try Self.write(yaml, folder)
        child = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), ["run", "--config", folder + "/trackd.yaml"] + arguments,
            environment: environment.merging(["STATE_DIRECTORY": folder + "/state"]) { first, _ in first })
    }

    /// A simulated vehicle and no sink.
    static let simulated = "sources: [{type: simulated}]\n"

    static func write(_ yaml: String, _ folder: String) throws {
        try Data(yaml.utf8).write(to: URL(fileURLWithPath: folder + "/trackd.yaml"))
    }

    /// Lets nobody but its owner read the configuration in a folder, which is written afterwards and holds a secret.
    static func keepPrivate(_ folder: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let isMade = FileManager.default.createFile(
            atPath: folder + "/trackd.yaml", contents: Data(), attributes: [.posixPermissions: 0o600])
        #expect(isMade, sourceLocation: sourceLocation)
    }

    /// Waits until it has printed something.
    func prints(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually(
            "trackd prints \"\(text)\", it printed: \(child.text)", from: child,
            sourceLocation: sourceLocation
        ) {
            child.text.contains(text)
        }
    }

    /// Waits until it has ended; answers the exit status.
    func end() async -> Int32? {
        await eventually("trackd ends") { child.exitCode != nil }
        return child.exitCode
    }

    /// Runs another command against it, to its end.
    func trackd(_ arguments: String...) async throws -> (status: Int32?, text: String) {
        let other = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), arguments + ["--config", folder + "/trackd.yaml"],
            environment: ["STATE_DIRECTORY": folder + "/state"])
        await eventually("\(arguments) ends") { other.exitCode != nil }
        return (other.exitCode, other.text)
    }
}
