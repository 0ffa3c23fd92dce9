import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// An agent whose store is encrypted, and the commands that look after its key.
@Suite(.timeLimit(.minutes(30))) struct EncryptedStoreAgentTests {
    private static func yaml(_ folder: String, key: String) -> String {
        """
        device: {id: truck}
        sources: [{type: simulated, rate: 5}]
        tracking: {distanceFilter: 0}
        store: {path: \(folder)/state, encryption: {key: {file: \(folder)/\(key)}}}
        sinks: []
        """
    }

    /// Runs an agent until its simulated vehicle has left some records.
    private static func record(_ folder: String, key: String) async throws {
        let agent = try RunningAgent(folder, yaml(folder, key: key))
        try await eventually("it records, trackd printed: \(agent.child.text)", from: agent.child) {
            let status = try await agent.trackd("status", "--json").text
            let source = (try? JSONValue.parse(Array(status.utf8)))?["sources"]?.array?.first
            return (source?["recorded"]?.number ?? 0) > 3
        }
        agent.child.send(SIGTERM)
        #expect(await agent.end() == 0, "\(agent.child.text)")
    }

    @Test func `a key is made once, changed while no agent runs, and the old one opens nothing`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            func trackd(_ arguments: String...) async throws -> (status: Int32?, text: String) {
                let child = try ChildProcess(TestEnvironment.builtProduct("trackd"), arguments)
                await eventually("\(arguments) ends") { child.exitCode != nil }
                return (child.exitCode, child.text)
            }
            for key in ["one", "two"] {
                #expect(try await trackd("store", "make-key", "\(folder)/\(key)").status == 0)
                let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(key)")[.posixPermissions]
                #expect(mode as? Int == 0o600)
            }
            #expect(try await trackd("store", "make-key", "\(folder)/one").status == 73)

            let configuration = ["--config", folder + "/trackd.yaml"]
            /// The store's records without an agent: a line for each below that of the names.
            func exported(_ key: String) async throws -> Int {
                try RunningAgent.write(Self.yaml(folder, key: key), folder)
                let document = try await trackd("export", configuration[0], configuration[1], "--format", "csv")
                #expect(document.status == 0, "\(document.text)")
                return document.text.split(whereSeparator: \.isNewline).count - 1
            }

            try await Self.record(folder, key: "one")
            let before = try await exported("one")
            #expect(before > 3)
            let rotated = try await trackd(
                "store", "rotate-key", configuration[0], configuration[1], "--new-key", folder + "/two")
            #expect(rotated.status == 0, "\(rotated.text)")
            let refused = try await trackd("run", configuration[0], configuration[1])
            // A service manager does not start it again before somebody has changed something.
            #expect(refused.status == 78 && refused.text.contains("store.encryption.key"), "\(refused.text)")
            #expect(try await exported("two") == before)
            // What is no key at all is told by `check`, too.
            try Data("123\n".utf8).write(to: URL(filePath: folder + "/three"))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/three")
            try RunningAgent.write(Self.yaml(folder, key: "three"), folder)
            for command in ["check", "run"] {
                let outcome = try await trackd(command, configuration[0], configuration[1])
                #expect(outcome.status == 78 && outcome.text.contains("store.encryption.key"), "\(outcome.text)")
            }
            try await Self.record(folder, key: "two")
            #expect(try await exported("two") > before)
        }
    }

    @Test func `a sink that keeps places in plain beside it is named, and a history is not`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let configuration = try Given.configuration(
                """
                store: {path: \(folder)/state, encryption: {key: {file: \(folder)/key}}}
                sinks:
                  - {type: file, directory: \(folder)/tracks, format: gpx}
                  - {type: history, directory: \(folder)/history}
                  - {type: server, directory: \(folder)/server}
                """)
            let cautions = configuration.cautions(sourceCount: 1).map(\.line).filter { $0.contains("in plain") }
            #expect(cautions.count == 1 && cautions.first?.hasPrefix("sink file: ") == true, "\(cautions)")
        }
    }
}
