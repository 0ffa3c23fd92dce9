import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// The program itself: what it prints, what it writes and how it exits.
@Suite struct CommandTests {
    private func trackd(
        _ arguments: [String], _ environment: [String: String] = [:]
    ) async throws -> (status: Int32?, text: String) {
        let child = try ChildProcess(TestEnvironment.builtProduct("trackd"), arguments, environment: environment)
        await eventually("trackd ends") { child.exitCode != nil }
        return (child.exitCode, child.text)
    }

    private func packaged(_ name: String) -> String {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        return "\(root)/Packaging/\(name)"
    }

    @Test func `the packaged example can be used`() async throws {
        let result = try await trackd(["check", "--config", packaged("trackd.yaml")])
        #expect(result.status == 0, "\(result.text)")
        #expect(result.text == "")
    }

    /// Every commented key of the example, taken out of its comment.
    @Test func `the packaged example's comments can be used as well`() throws {
        let text = try String(contentsOfFile: packaged("trackd.yaml"), encoding: .utf8)
        let uncommented = text.split(separator: "\n", omittingEmptySubsequences: false).map(Self.uncommented)
        #expect(Given.problems(uncommented.joined(separator: "\n")) == [])
        let keys = ["socket:", "basicAuth:", "maximumLead:", "duration:", "format: nmea", "battery:", "id: van-7"]
        for key in keys { #expect(uncommented.contains { $0.contains(key) && !$0.contains("#   ") }, "\(key)") }
    }

    /// A line without the comment signs before a key, where token and basicAuth exclude each other.
    private static func uncommented(_ line: Substring) -> String {
        var line = String(line)
        for _ in 0..<2 {
            guard let match = line.firstMatch(of: /^( *)# ( *(# )?(- )?[a-zA-Z]+:( .*)?)$/),
                !line.contains("token: {credential"), !line.contains("By default"), !line.contains("trackd:")
            else { return line }
            line = String(match.1) + String(match.2)
        }
        return line
    }

    @Test func `check shows the effective configuration`() async throws {
        let result = try await trackd(
            ["check", "--show", "--set", "tracking.distanceFilter=7"], ["TRACKD_LOG_LEVEL": "error"])
        #expect(result.status == 0)
        #expect(result.text.contains("distanceFilter: 7\n") && result.text.contains("level: error\n"))
    }

    @Test func `explain says what a key means, under the name that the element has or under its type`() async throws {
        let result = try await trackd(["explain", "sinks.home.httpTimeout", "log.level"])
        #expect(result.status == 0)
        let expected = """
            sinks.overland.httpTimeout
                How long one exchange may take.
                whole number: 100 to 600000 milliseconds; default 10000

            sinks.osmand.httpTimeout
                How long one exchange may take.
                whole number: 100 to 600000 milliseconds; default 10000

            sinks.owntracks.httpTimeout
                How long one exchange may take.
                whole number: 100 to 600000 milliseconds; default 10000

            sinks.http.httpTimeout
                How long one exchange may take.
                whole number: 100 to 600000 milliseconds; default 10000

            sinks.miataru.httpTimeout
                How long one exchange may take.
                whole number: 100 to 600000 milliseconds; default 10000

            log.level

            """
        #expect(result.text.hasPrefix(expected.dropLast(1)), "\(result.text)")
    }

    @Test func `explain says of an unknown key which one may be meant, and exits with 64`() async throws {
        let result = try await trackd(["explain", "tracking.distanceFiter"])
        #expect(result.status == 64)
        expectMessage(result.text, begin: "\"tracking.distanceFiter\"")
    }

    @Test func `check names every problem and exits with 78`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/trackd.yaml"
            try Data("log: {level: loud}\nx: 1\n".utf8).write(to: URL(fileURLWithPath: path))
            let result = try await trackd(["check", "--config", path])
            #expect(result.status == 78)
            let places = result.text.split(separator: "\n").map { String($0.prefix(path.count + 3)) }
            #expect(places == ["\(path):1:", "\(path):2:"])
        }
    }

    @Test func `a missing file is named, also when the environment names it`() async throws {
        for (arguments, environment) in [(["--config", "/nowhere/a"], [:]), ([], ["TRACKD_CONFIG": "/nowhere/a"])] {
            let result = try await trackd(["check"] + arguments, environment)
            #expect(result.status == 78)
            expectMessage(result.text, begin: "/nowhere/a")
        }
    }

    @Test(arguments: [
        "store={path: file}", "store={path: file/below}", "store={path: shared}", "store={path: link}",
        "store={path: named}", "control={socket: file}", "control={socket: shared/socket}",
        "control={socket: missing/deep/socket}", "sources=[{type: replay, path: directory}]",
        "sources=[{type: replay, path: file}]", "store={path: \(String(repeating: "x", count: 100))}",
    ])
    func `what check refuses run refuses, with the same words and status 78`(_ setting: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try OddPlaces.make(in: folder)
            var texts: [String] = []
            for command in ["check", "run"] {
                let child = try ChildProcess(
                    TestEnvironment.builtProduct("trackd"),
                    [command, "--set", "sources=[{type: simulated}]", "--set", setting],
                    environment: ["STATE_DIRECTORY": folder + "/state"], directory: folder)
                await eventually("\(command) \(setting) ends: \(child.text)") { child.exitCode != nil }
                #expect(child.exitCode == 78, "\(command) \(setting): \(child.text)")
                texts.append(child.text)
            }
            #expect(texts[0] == texts[1])
            #expect(texts[0].contains(": expected "), "\(texts[0])")
        }
    }

    @Test func `a directory that others use keeps its mode`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try OddPlaces.make(in: folder)
            let result = try await trackd(["run", "--set", "store={path: \(folder)/shared}"])
            #expect(result.status == 78, "\(result.text)")
            let mode = try FileManager.default.attributesOfItem(atPath: folder + "/shared")[.posixPermissions]
            #expect(mode as? Int == 0o1777)
        }
    }

    @Test func `a secret that cannot be had fails the check`() async throws {
        let sink = "sinks=[{type: overland, url: 'https://x', token: {env: NOT_SET_ANYWHERE}}]"
        let result = try await trackd(["check", "--set", sink])
        #expect(result.status == 78)
        expectMessage(result.text.line(with: "NOT_SET_ANYWHERE"), begin: "--set: sinks.overland.token")
    }

    @Test func `setup writes private files that check accepts`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/trackd.yaml"
            let link = "overland://setup?url=https%3A%2F%2Ft.example%2F%3Ftoken%3Dq&token=canary&device_id=van-7"
            let setup = try await trackd(["setup", link, "--config", path])
            #expect(setup.status == 0, "\(setup.text)")
            #expect(!setup.text.contains("canary"))
            let check = try await trackd(["check", "--config", path, "--show"])
            #expect(check.status == 0 && check.text.contains("id: van-7"), "\(check.text)")
            #expect(!check.text.contains("canary") && !check.text.contains("=q"))
            for name in ["trackd.yaml", "trackd.overland.token"] {
                let file = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")
                #expect(file[.posixPermissions] as? Int == 0o600, "\(name)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 2)
        }
    }

    @Test func `setup names the preset of a receiver that the link's address gives away`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let link = "overland://setup?url=https://t.example/api/wayfinder/overland/&token=canary"
            let setup = try await trackd(["setup", link, "--config", directory + "/trackd.yaml"])
            #expect(setup.status == 0, "\(setup.text)")
            #expect(setup.text.contains("note: integerSpeed = false: "), "\(setup.text)")
            #expect(setup.text.contains("; preset: wayfinder helps"), "\(setup.text)")
        }
    }

    @Test func `two configurations in one folder have a token each`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            for name in ["a.yaml", "b.yaml", "b.json"] {
                let link = "overland://setup?url=https://\(name)&token=token-of-\(name)"
                let setup = try await trackd(["setup", link, "--config", "\(directory)/\(name)"])
                #expect(setup.status == 0, "\(setup.text)")
            }
            for (file, token) in [
                ("a.overland.token", "a.yaml"), ("b.overland.token", "b.yaml"), ("b.overland.token-2", "b.json"),
            ] {
                let text = try String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)
                #expect(text == "token-of-\(token)\n")
            }
        }
    }

    @Test func `a link that is none is answered with how setup is used`() async throws {
        let result = try await trackd(["setup", "foo"])
        #expect(result.status == 64)
        expectMessage(result.text.line(with: "overland://setup?"))
        #expect(result.text.contains("Usage: trackd setup <link>"), "\(result.text)")
    }

    @Test func `standard input without a link is answered with what it should have been`() async throws {
        let nothing = try await trackd(["setup", "-"])
        #expect(nothing.status == 65)
        expectMessage(nothing.text, begin: "standard input")
    }

    @Test func `spaces around a link on standard input do not matter`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let input = "printf '  overland://setup?url=https://x \\t\\n'"
            let command = "\(TestEnvironment.builtProduct("trackd")) setup - --config \(directory)/trackd.yaml"
            let shell = try ChildProcess("/bin/sh", ["-c", "\(input) | \(command)"])
            await eventually("trackd ends") { shell.exitCode != nil }
            #expect(shell.exitCode == 0, "\(shell.text)")
        }
    }

    @Test func `a folder that is missing is said of the file that was to be written`() async throws {
        let result = try await trackd(["setup", "overland://setup?url=https://x", "--config", "/nonexistent/a.yaml"])
        #expect(result.status == 73)
        expectMessage(result.text, begin: "cannot create /nonexistent/a.yaml")
    }

    @Test func `an export from a time on that is not before its end is refused`() async throws {
        let result = try await trackd(["export", "--from", "2026-03-02", "--to", "2026-03-01"])
        #expect(result.status == 64)
        expectMessage(result.text.line(with: "--from"))
    }

    @Test func `setup speaks of comments only where there are some`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/trackd.yaml"
            try Data("sinks: []\n".utf8).write(to: URL(fileURLWithPath: path))
            let result = try await trackd(["setup", "overland://setup?url=https://x", "--config", path])
            #expect(
                result.text
                    == "wrote \(path), sink overland\nthe file was written anew; the old text is in \(path).bak\n")
        }
    }

    @Test func `setup leaves a broken configuration alone`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/trackd.yaml"
            try Data("log: {level: loud}\n".utf8).write(to: URL(fileURLWithPath: path))
            let result = try await trackd(["setup", "overland://setup?url=https://x&token=t", "--config", path])
            #expect(result.status == 78)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "log: {level: loud}\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["trackd.yaml"])
        }
    }

    @Test func `setup keeps the mode and the old text where comments are lost`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/trackd.yaml"
            let old = "sinks: [] # none\n"
            try Data(old.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let result = try await trackd(["setup", "overland://setup?url=https://x", "--config", path])
            #expect(result.status == 0 && result.text.contains("comments could not be kept"), "\(result.text)")
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o644)
            #expect(try String(contentsOfFile: path + ".bak", encoding: .utf8) == old)
        }
    }
}
