import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// `trackd device` beside an agent that does not run.
@Suite(.timeLimit(.minutes(30))) struct DeviceCommandTests {
    /// Runs `trackd device` to its end, with the state in a folder; what it prints has standard error in it.
    private static func device(_ arguments: [String], in folder: String) async throws -> (status: Int32?, text: String)
    {
        let child = try ChildProcess(
            "/usr/bin/env",
            [
                "-u", "TRACKD_CONFIG", "STATE_DIRECTORY=\(folder)/state", TestEnvironment.builtProduct("trackd"),
                "device",
            ]
                + arguments)
        await eventually("\(arguments) ends") { child.exitCode != nil }
        return (child.exitCode, child.text)
    }

    private static func withState(_ body: (String) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            #expect(mkdir(folder + "/state", 0o700) == 0)
            try await body(folder)
        }
    }

    /// Two servers, each with a directory and a port of its own.
    private static func writeTwoServers(in folder: String) throws {
        let sinks = [("one", 8081), ("two", 8082)].map { name, port in
            "{type: server, name: \(name), directory: \(folder)/\(name), port: \(port)}"
        }
        try RunningAgent.write("sinks: [\(sinks.joined(separator: ", "))]\n", folder)
    }

    @Test func `without a configuration file the server is the one that a run has then`() async throws {
        try await Self.withState { folder in
            let added = try await Self.device(["add", "phone"], in: folder)
            #expect(added.status == 0 && added.text.contains("token  "), "\(added)")
            #expect(added.text.contains("\nTrace  http://127.0.0.1:8080/t/"))
            #expect(try await Self.device(["list"], in: folder) == (0, "phone\n"))
            let link = try await Self.device(["link"], in: folder)
            #expect(link.status == 0 && link.text.hasPrefix("http://127.0.0.1:8080/?once="), "\(link)")
            #expect(FileManager.default.fileExists(atPath: folder + "/state/server/access.json"))
        }
    }

    @Test(arguments: [["list"], ["link"], ["add", "phone"]])
    func `before the agent has run, the directory that is missing is named`(_ arguments: [String]) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let refused = try await Self.device(arguments, in: folder)
            #expect(refused.status == 78)
            expectMessage(refused.text, begin: "\(folder)/state", replacing: [folder: "FOLDER"])
        }
    }

    @Test(arguments: [["--qr", "Nokia"], ["--qr", ""]])
    func `a QR code for an app that is none is refused before the device is added`(_ option: [String]) async throws {
        try await Self.withState { folder in
            let refused = try await Self.device(["add", "phone"] + option, in: folder)
            #expect(refused.status == 64)
            expectMessage(refused.text.line(with: "Overland"), as: option.joined(separator: " "))
            #expect(try await Self.device(["list"], in: folder) == (0, ""))
            let added = try await Self.device(["add", "phone", "--qr", "own"], in: folder)
            #expect(added.status == 0 && added.text.contains("▄"), "\(added)")
        }
    }

    @Test func `each of two servers has a link of its own, and which is meant has to be said`() async throws {
        try await Self.withState { folder in
            try Self.writeTwoServers(in: folder)
            let file = ["--config", folder + "/trackd.yaml"]
            let refused = try await Self.device(["link"] + file, in: folder)
            #expect(refused.status == 78)
            expectMessage(refused.text)
            var keys: Set<Substring> = []
            for (name, port) in [("one", 8081), ("two", 8082)] {
                let link = try await Self.device(["link", "--key", "--sink", name] + file, in: folder)
                #expect(link.status == 0 && link.text.hasPrefix("http://127.0.0.1:\(port)/?key="), "\(link)")
                keys.insert(try #require(link.text.split(separator: "=").last))
            }
            #expect(keys.count == 2)
        }
    }
}
