import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// What commands say about a key that is not that of the store.
@Suite(.timeLimit(.minutes(30))) struct StoreKeyCommandTests {
    private static let right = StoreKey.random()

    private static func yaml(_ folder: String, _ encryption: String) -> String {
        """
        device: {id: truck}
        sources: [{type: simulated, rate: 5}]
        store: {path: \(folder)/state, encryption: \(encryption)}
        sinks:
          - {type: server, directory: \(folder)/state/server, port: 0}
          - {type: miataru, url: 'http://127.0.0.1:9'}
        """
    }

    private static func write(_ text: String, to path: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private static func trackd(_ folder: String, _ arguments: [String]) async throws -> (status: Int32?, text: String) {
        let child = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), arguments + ["--config", folder + "/trackd.yaml"])
        await eventually("\(arguments) ends") { child.exitCode != nil }
        return (child.exitCode, child.text)
    }

    /// A store with a record, with its key and others beside it.
    private static func fill(_ folder: String) async throws {
        var configuration = SQLiteFixStore.Configuration(directory: folder + "/state")
        configuration.key = right
        let store = try await SQLiteFixStore.open(configuration: configuration)
        _ = try await store.append(StoreMaterial.drafts(0..<3), checkpoint: nil)
        await store.close()
        try write(right.hexadecimal.revealed, to: folder + "/right")
        try write(right.hexadecimal.revealed + "\r\n", to: folder + "/lines")
        try write(StoreKey.random().hexadecimal.revealed, to: folder + "/wrong")
        try write(StoreKey.random().hexadecimal.revealed, to: folder + "/new")
        try write("", to: folder + "/empty")
        try write("0123", to: folder + "/short")
        try write(right.hexadecimal.revealed, to: folder + "/open", mode: 0o644)
    }

    private static let commands: [[String]] = [
        ["check"], ["run"], ["export"], ["store", "decrypt"], ["store", "rotate-key", "--new-key", "NEW"],
        ["device", "list"], ["miataru", "id"],
    ]

    private static func contents(_ folder: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder + "/state") {
            // The ends of locks are no change.
            guard !name.hasSuffix(".lock") else { continue }
            contents[name] = FileManager.default.contents(atPath: folder + "/state/" + name) ?? Data()
        }
        return contents
    }

    @Test(arguments: ["wrong", "missing", "empty", "short", "open", "none"])
    func `every command ends with 78, names the key and changes nothing`(_ key: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.fill(folder)
            let encryption = key == "none" ? "null" : "{key: {file: \(folder)/\(key)}}"
            try Self.write(Self.yaml(folder, encryption), to: folder + "/trackd.yaml")
            let before = try Self.contents(folder)
            for command in Self.commands {
                let outcome = try await Self.trackd(folder, command.map { $0 == "NEW" ? folder + "/new" : $0 })
                #expect(outcome.status == 78, "\(command): \(outcome.text)")
                #expect(outcome.text.contains("store.encryption.key"), "\(command): \(outcome.text)")
                #expect(!outcome.text.contains(Self.right.hexadecimal.revealed))
            }
            #expect(try Self.contents(folder) == before)
        }
    }

    @Test(arguments: ["right", "lines"])
    func `with the key of the store all is well, also while an agent runs on it`(_ key: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.fill(folder)
            let agent = try RunningAgent(folder, Self.yaml(folder, "{key: {file: \(folder)/\(key)}}"))
            try await eventually("it runs, trackd printed: \(agent.child.text)", from: agent.child) {
                try await agent.trackd("status", "--json").status == 0
            }
            #expect(try await Self.trackd(folder, ["check"]).status == 0)
            try Self.write(Self.yaml(folder, "{key: {file: \(folder)/wrong}}"), to: folder + "/trackd.yaml")
            let refused = try await Self.trackd(folder, ["check"])
            #expect(refused.status == 78 && refused.text.contains("not another one"), "\(refused.text)")
            try Self.write(Self.yaml(folder, "{key: {file: \(folder)/\(key)}}"), to: folder + "/trackd.yaml")
            let locked = try await Self.trackd(folder, ["store", "decrypt"])
            #expect(locked.status == 75, "\(locked.text)")
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0, "\(agent.child.text)")
            #expect(try await Self.trackd(folder, ["check"]).status == 0)
            #expect(try await Self.trackd(folder, ["export", "--format", "csv"]).status == 0)
        }
    }
}
