import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// What `check` and `run` say about settings that are allowed and may surprise.
@Suite(.timeLimit(.minutes(30))) struct CautionTests {
    private static func yaml(_ folder: String, _ sources: String, _ sink: String) -> String {
        """
        sources: [\(sources)]
        store: {path: \(folder)/state}
        sinks: [{type: file, directory: \(folder)/tracks, \(sink)}]
        """
    }

    private static func check(_ folder: String, _ yaml: String) async throws -> String {
        try RunningAgent.write(yaml, folder)
        let child = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), ["check", "--config", folder + "/trackd.yaml"])
        await eventually("check ends") { child.exitCode != nil }
        #expect(child.exitCode == 0, "\(child.text)")
        return child.text
    }

    @Test(arguments: ["nmea", "gpx"])
    func `files in which several sources become one object, or many tracks, are named`(
        _ format: String
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let yaml = Self.yaml(folder, "{type: simulated}, {type: simulated, name: van}", "format: \(format)")
            let check = try await Self.check(folder, yaml)
            #expect(check.hasPrefix("note: sink file: format = \(format): "), "\(check)")
            #expect(check.split(separator: "\n").count == 1, "\(check)")
            let agent = try RunningAgent(folder, yaml)
            await agent.prints("format = \(format): ")
            await agent.prints("warning: ")
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }

    @Test func `a row of several vehicles counts as several sources`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let check = try await Self.check(
                folder, Self.yaml(folder, "{type: simulated, vehicles: 2}", "format: nmea"))
            #expect(check.hasPrefix("note: sink file: format = nmea: "), "\(check)")
        }
    }

    @Test func `files beside the store that cannot be read are named, each with what was expected`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let yaml = Self.yaml(folder, "{type: simulated}", "format: csv")
            try FileManager.default.createDirectory(atPath: folder + "/state", withIntermediateDirectories: true)
            for (name, text) in [("places.geojson", "["), ("corrections.json", "{}")] {
                #expect(
                    FileManager.default.createFile(
                        atPath: "\(folder)/state/\(name)", contents: Data(text.utf8),
                        attributes: [.posixPermissions: 0o600]))
            }
            let lines = try await Self.check(folder, yaml).split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("note: store: \(folder)/state/places.geojson: line 1: ") == true, "\(lines)")
            #expect(lines.last?.hasPrefix("note: store: \(folder)/state/corrections.json: ") == true, "\(lines)")
        }
    }

    @Test(arguments: [
        ("{type: simulated}", "format: nmea"), ("{type: simulated}, {type: simulated, name: van}", "format: csv"),
        ("", "format: gpx"),
    ])
    func `nothing is said of one source, nor of a format that names the source`(
        _ sources: String, _ sink: String
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let check = try await Self.check(folder, Self.yaml(folder, sources, sink))
            #expect(check == "")
        }
    }
}
