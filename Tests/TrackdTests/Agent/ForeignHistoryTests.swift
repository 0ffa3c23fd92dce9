import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineSQLite
import TrackEngineTestKit

/// Commands by root on histories in directories of another user, who has put root's own files there under other names.
@Suite(.enabled(if: geteuid() == 0), .timeLimit(.minutes(15))) struct ForeignHistoryTests {
    private static let user: uid_t = 65_534
    private static let key = StoreKey.random()

    /// How a file of root's gets into a directory.
    enum Trap: CaseIterable {
        case none, linkedDatabase, namedLock, namedKey, namedReserve, namedRegistry

        /// The place in the folder, and whether it is a symbolic link.
        var place: (path: String, isLink: Bool)? {
            switch self {
            case .none: nil
            case .linkedDatabase: ("history/history.sqlite", true)
            case .namedLock: ("history/history.lock", false)
            case .namedKey: ("history/key.sealed", false)
            case .namedReserve: ("history/history.reserve", false)
            case .namedRegistry: ("server/miataru/ids.json.plain", false)
            }
        }

        /// Whether there is nothing else in the directories, so that no other file is refused first.
        var isAlone: Bool {
            switch self {
            case .none, .namedLock, .namedKey, .namedReserve: false
            case .linkedDatabase, .namedRegistry: true
            }
        }
    }

    /// A file as nothing may change it.
    private struct Look: Equatable {
        let owner: uid_t?
        let mode: Int?
        let bytes: Data

        init(_ path: String) throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            owner = FileStatus.at(path)?.owner
            mode = attributes[.posixPermissions] as? Int
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        }
    }

    /// Root's store, and an encrypted history and a server's directory that belong to the user.
    private static func fill(_ folder: String) async throws {
        for name in ["key", "new"] {
            let key = name == "key" ? key : StoreKey.random()
            try Data(key.hexadecimal.revealed.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder)/\(name)")
        }
        var configuration = SQLiteFixStore.Configuration(directory: folder + "/state")
        configuration.key = key
        let store = try await SQLiteFixStore.open(configuration: configuration)
        _ = try await store.append(StoreMaterial.drafts(0..<3), checkpoint: nil)
        await store.close()
        for directory in ["/history", "/server"] {
            let history = try await TrackHistory.open(directory: folder + directory, key: key)
            _ = try await history.add([HistoryPoint(fix: StoreMaterial.draft(1).fix)], of: "van")
            await history.close()
        }
        try FileManager.default.createDirectory(
            atPath: folder + "/server/miataru", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for directory in ["/history", "/server"] {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder + directory) + [""] {
                #expect(lchown("\(folder)\(directory)/\(name)", user, user) == 0)
            }
        }
        try RunningAgent.write(
            """
            device: {id: van}
            store: {path: \(folder)/state, encryption: {key: {file: \(folder)/key}}}
            sinks:
              - {type: history, directory: \(folder)/history}
              - {type: server, directory: \(folder)/server, port: 0, miataru: true}
            """, folder)
    }

    /// Removes the files of both directories, and no directory.
    private static func removeFiles(_ folder: String) throws {
        for directory in ["/history", "/server"] {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder + directory) where name != "miataru"
            {
                try FileManager.default.removeItem(atPath: "\(folder)\(directory)/\(name)")
            }
        }
    }

    @Test(arguments: Trap.allCases, [["rotate-key", "--new-key"], ["decrypt"]])
    func `nothing of root's is changed, and nothing of root's is left there`(
        _ trap: Trap, _ arguments: [String]
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.fill(folder)
            let victim = folder + "/victim"
            try Data("root's own\n".utf8).write(to: URL(fileURLWithPath: victim))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: victim)
            if let (path, isLink) = trap.place {
                let path = "\(folder)/\(path)"
                if trap.isAlone { try Self.removeFiles(folder) }
                unlink(path)  // it may not be there
                #expect((isLink ? symlink(victim, path) : link(victim, path)) == 0)
                if isLink { #expect(lchown(path, Self.user, Self.user) == 0) }
            }
            let before = try Look(victim)
            let child = try ChildProcess(
                TestEnvironment.builtProduct("trackd"),
                ["store"] + arguments + (arguments.count == 2 ? [folder + "/new"] : [])
                    + ["--config", folder + "/trackd.yaml"], environment: ["STATE_DIRECTORY": folder + "/state"])
            await eventually("\(arguments) ends") { child.exitCode != nil }
            if !trap.isAlone { #expect(child.exitCode != 0, "\(child.text)") }
            #expect(try Look(victim) == before, "\(child.text)")
            let identity = FileStatus.at(victim)?.identity
            for directory in ["/history", "/server"] {
                for name in try FileManager.default.subpathsOfDirectory(atPath: folder + directory) {
                    guard let status = FileStatus.at("\(folder)\(directory)/\(name)"), status.identity != identity
                    else { continue }
                    #expect(status.owner == Self.user, "\(name), \(child.text)")
                }
            }
        }
    }
}
