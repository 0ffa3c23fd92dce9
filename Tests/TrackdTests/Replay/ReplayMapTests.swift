import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// `trackd replay --map` as a program.
@Suite(.timeLimit(.minutes(30))) struct ReplayMapTests {
    /// A program that stands for the desktop's, and writes down what it is to open.
    private static func makeBrowser(in folder: String) throws -> [String: String] {
        let path = folder + "/xdg-open"
        try Data(
            "#!/bin/sh\necho \"$1\" > '\(folder)/opened.tmp' && mv '\(folder)/opened.tmp' '\(folder)/opened'\n".utf8
        )
        .write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return ["PATH": folder + ":/usr/bin:/bin"]
    }

    @Test func `the page has the records and the rejected fixes of the file, and nothing is left when it ends`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let trackd = TestEnvironment.builtProduct("trackd")
            let drive = try ChildProcess(
                "/bin/sh", ["-c", "'\(trackd)' simulate --duration 600 --output nmea > drive.nmea && mkdir tmp"],
                directory: folder)
            await eventually("the drive is written") { drive.exitCode == 0 }
            let environment = try Self.makeBrowser(in: folder).merging(["TMPDIR": folder + "/tmp"]) { first, _ in first
            }
            let replay = try ChildProcess(
                trackd, ["replay", "drive.nmea", "--map", "--open"], environment: environment, directory: folder)
            await eventually("it prints the address: \(replay.text)") { replay.text.contains("#history and end") }
            let line = try #require(replay.text.split(separator: "\n").first { $0.contains("http://127.0.0.1:") })
            let address = try #require(line.split(separator: " ").first { $0.hasPrefix("http://") })
            let port = try #require(address.split(separator: ":").last?.split(separator: "/").first.flatMap { Int($0) })
            let target = try #require(address.split(separator: "/").last?.split(separator: "#").first)
            let session = try #require(await PageSession(opening: "/\(target)", at: port))
            #expect(await PageSession(opening: "/\(target)", at: port) == nil, "it can be opened once")

            let devices = await session.ask("GET", "/api/devices", at: port)
            #expect(devices.body.contains(#""name":"track""#))
            let times = "device=track&from=2020-01-01T00:00:00Z&to=2030-01-01T00:00:00Z"
            let rejections = await session.ask("GET", "/api/rejections?\(times)", at: port)
            let reasons = try JSONValue.parse(rejections.bytes).array?.compactMap { $0["reason"]?.string } ?? []
            #expect(reasons.count > 500 && Set(reasons) == ["too-near"])
            let path = await session.ask("GET", "/api/path?\(times)&within=20", at: port)
            #expect(try JSONValue.parse(path.bytes)["lines"]?.array?.isEmpty == false)

            await eventually("the browser is told") { FileManager.default.fileExists(atPath: folder + "/opened") }
            #expect(try String(contentsOfFile: folder + "/opened", encoding: .utf8) == address + "\n")
            replay.send(SIGINT)
            await eventually("it ends") { replay.exitCode != nil }
            #expect(replay.exitCode == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp").isEmpty)
        }
    }

    /// Begins to show so many points, in a page whose directory is made in `tmp`.
    private static func show(_ count: Int, in folder: String) throws -> ChildProcess {
        let points = (0..<count).map { "\(1_772_359_200 + $0),\(53 + Double($0) / 100_000),9.98\n" }
        try Data(("time,latitude,longitude\n" + points.joined()).utf8)
            .write(to: URL(fileURLWithPath: folder + "/drive.csv"))
        try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
        return try ChildProcess(
            TestEnvironment.builtProduct("trackd"),
            ["replay", "drive.csv", "--map", "--set", "tracking.distanceFilter=0"],
            environment: ["TMPDIR": folder + "/tmp"], directory: folder)
    }

    private static func left(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `nothing is left when the page is ended, in whatever way`(_ signal: Int32) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let replay = try Self.show(10, in: folder)
            await eventually("it prints the address: \(replay.text)") { replay.text.contains("look at ") }
            replay.send(signal)
            await eventually("it ends") { replay.exitCode != nil }
            #expect(replay.exitCode == 0)
            #expect(try Self.left(in: folder).isEmpty)
        }
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `nothing is left when it is ended before the page is there`(_ signal: Int32) async throws {
        // How long the page takes is chance, so there is more of it each time until the signal comes before.
        for count in [20_000, 100_000, 500_000] {
            let hasBegun = try await TestEnvironment.withTemporaryDirectory { folder in
                let replay = try Self.show(count, in: folder)
                try await eventually(
                    "the directory is made, it printed: \(replay.text)", from: replay
                ) {
                    try !Self.left(in: folder).isEmpty
                }
                replay.send(signal)
                await eventually("it ends") { replay.exitCode != nil }
                #expect(replay.exitCode == 0)
                #expect(try Self.left(in: folder).isEmpty)
                return replay.text.contains("look at ")
            }
            if !hasBegun { return }
        }
        Issue.record("the page was there each time before the signal")
    }

    @Test func `a run opens its page when it is there`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let port = try ReservedPort()
            let agent = try RunningAgent(
                folder, ServerAgentTests.yaml(folder, port), arguments: ["--open"],
                environment: try Self.makeBrowser(in: folder))
            await eventually("the browser is told") { FileManager.default.fileExists(atPath: folder + "/opened") }
            let opened = try String(contentsOfFile: folder + "/opened", encoding: .utf8)
            #expect(opened.hasPrefix("http://127.0.0.1:\(port.number)/?once="))
            #expect(LoopbackSocket.accepts(at: .ipv4(port.number)))
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }

    @Test func `a browser that goes on has neither the port nor the terminal's signals`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let port = try ReservedPort()
            let environment = try Self.makeBrowser(in: folder)
            let lasting =
                "#!/bin/sh\necho $$ > '\(folder)/process.tmp'\nmv '\(folder)/process.tmp' '\(folder)/opened'\nexec sleep 100\n"
            try Data(lasting.utf8).write(to: URL(fileURLWithPath: folder + "/xdg-open"))
            let agent = try RunningAgent(
                folder, ServerAgentTests.yaml(folder, port), arguments: ["--open"], environment: environment)
            await eventually("the browser is there") { FileManager.default.fileExists(atPath: folder + "/opened") }
            let text = try String(contentsOfFile: folder + "/opened", encoding: .utf8)
            let browser = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            defer { kill(browser, SIGKILL) }
            #expect(getsid(browser) == browser)
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
            #expect(kill(browser, 0) == 0)
            #expect(!LoopbackSocket.accepts(at: .ipv4(port.number)))
        }
    }

    @Test func `what cannot be opened is said, and the page is there`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let port = try ReservedPort()
            let agent = try RunningAgent(
                folder, ServerAgentTests.yaml(folder, port), arguments: ["--open"], environment: ["PATH": folder])
            await agent.prints("--open: ")
            await agent.prints("xdg-open")
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }
}
