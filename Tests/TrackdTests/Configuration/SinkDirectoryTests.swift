import Foundation
import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent

/// Which directories a sink may have for itself.
@Suite(.timeLimit(.minutes(30))) struct SinkDirectoryTests {
    private static let notStore = "a directory other than the store's"
    private static let notStoreFile = "a path that is none of the store's files"

    @Test(arguments: [
        ("file", "a directory"), ("pipe", "a directory"), ("file/below", "a directory that can be made: "),
        ("state", notStore), ("./state/", notStore), ("state-link", notStore), ("home/../state", notStore),
        ("state/track.sqlite", notStoreFile), ("state-link/track.lock/below", notStoreFile),
        ("state/device-id", notStoreFile), ("state/trackd.sock", "a path other than the control socket's"),
        (String(repeating: "x", count: 256), "a path of which no part between slashes has more than 255 bytes"),
    ])
    func `one that no sink can write to is refused by check and by run`(
        _ directory: String, _ expectation: String
    ) async throws {
        try await withPlaces { folder in
            // Where a link leads to what is not made yet cannot be known.
            for isMade in directory.hasPrefix("state-link") ? [true] : [false, true] {
                if isMade { mkdir(folder + "/state", 0o700) }
                let configuration = try Self.configuration(folder, [directory])
                let before = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
                let (check, run) = try await (Self.checked(configuration), Self.started(configuration))
                #expect(check.count == 1 && check == run, "\(check), \(run)")
                #expect(check.first?.hasPrefix("trackd.yaml:3: sinks.file.directory = ") ?? false, "\(check)")
                #expect(check.first?.contains(": expected \(expectation)") ?? false, "\(check)")
                #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == before)
            }
        }
    }

    @Test(arguments: [
        "tracks", "state/tracks", "home", "missing/deep/tracks", "nowhere-link", "", "nowhere-link/below",
    ])
    func `one that can be used, or may be there later, is accepted, and check makes nothing`(
        _ directory: String
    ) async throws {
        try await withPlaces { folder in
            let configuration = try Self.configuration(folder, [directory])
            let before = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
            #expect(try await Self.checked(configuration) == [])
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == before)
            #expect(try await Self.started(configuration) == [])
        }
    }

    @Test func `two names of one directory are refused`() async throws {
        try await withPlaces { folder in
            let configuration = try Self.configuration(folder, ["home", "home-link"])
            let check = try await Self.checked(configuration)
            #expect(check.count == 1, "\(check)")
            #expect(check.first?.contains("sinks.file-2.directory = ") ?? false, "\(check)")
            #expect(check.first?.contains("another sink writes there") ?? false, "\(check)")
        }
    }

    private func withPlaces(_ body: (String) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try Data("text".utf8).write(to: URL(fileURLWithPath: folder + "/file"))
            mkfifo(folder + "/pipe", 0o600)
            mkdir(folder + "/home", 0o700)
            symlink(folder + "/state", folder + "/state-link")
            symlink(folder + "/home", folder + "/home-link")
            symlink(folder + "/nowhere", folder + "/nowhere-link")
            try await body(folder)
        }
    }

    private static func configuration(_ folder: String, _ directories: [String]) throws -> AgentConfiguration {
        let sinks = directories.map { "{type: file, directory: \"\(folder)/\($0)\"}" }.joined(separator: ", ")
        return try Given.configuration("sources: []\nstore: {path: \(folder)/state}\nsinks: [\(sinks)]")
    }

    @Test(
        .enabled(if: getuid() == 0, "needs root, to give a file away"),
        arguments: [
            ("history", "history.sqlite"), ("history", "history.lock"), ("server", "history.sqlite-wal"),
            ("server", "miataru/history.sqlite"),
        ])
    func `a history that belongs to somebody else is refused by check, and waited for by run`(
        _ type: String, _ file: String
    ) async throws {
        try await withPlaces { folder in
            let directory = folder + "/home"
            let configuration = try Given.configuration(
                "sources: []\nstore: {path: \(folder)/state}\nsinks: [{type: \(type), directory: \(directory)}]")
            #expect(try await Self.checked(configuration, looksAtStore: true) == [])
            mkdir(directory + "/miataru", 0o700)
            try Data().write(to: URL(fileURLWithPath: directory + "/" + file))
            chown(directory + "/" + file, 65_534, 65_534)
            let problems = try await Self.checked(configuration, looksAtStore: true)
            #expect(problems.count == 1, "\(problems)")
            #expect(problems.first?.contains("sinks.\(type).directory = ") ?? false, "\(problems)")
            #expect(problems.first?.contains("belongs to another user") ?? false, "\(problems)")
            #expect(try await Self.started(configuration) == [])
        }
    }

    private static func checked(
        _ configuration: AgentConfiguration, looksAtStore: Bool = false
    ) async throws -> [String] {
        do throws(AgentConfigurationError) {
            _ = try await ConfigurationTrial(configuration, environment: [:], looksAtStore: looksAtStore).run()
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    private static func started(_ configuration: AgentConfiguration) async throws -> [String] {
        do throws(AgentStartError) {
            let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            try await AgentRuntime.assemble(
                configuration, loader: ConfigurationReader(environment: [:], stateDirectory: "/"), logger: logger
            ).close()
            return []
        } catch {
            guard case .configuration(let error) = error else { throw error }
            return error.problems.map(\.description)
        }
    }
}
