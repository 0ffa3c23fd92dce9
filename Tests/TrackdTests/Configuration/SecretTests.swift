import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

/// Secrets and the places where they are kept.
@Suite struct SecretTests {
    private func write(_ text: String, _ path: String, mode: Int) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func expectation(_ reference: SecretReference, _ environment: [String: String] = [:]) -> String? {
        do throws(SecretFailure) {
            _ = try SecretReader(environment: environment).read(reference)
            return nil
        } catch {
            return error.expectation
        }
    }

    @Test(arguments: [("canary\n", "canary"), ("canary", "canary"), ("canary\r\n", "canary"), (" a b ", " a b ")])
    func `a private file is read without its last line break`(_ text: String, _ secret: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/token"
            try write(text, path, mode: 0o600)
            #expect(try SecretReader(environment: [:]).read(.file(path)).revealed == secret)
        }
    }

    @Test(arguments: [0o640, 0o604, 0o644, 0o660, 0o610])
    func `a file that others can use is refused`(_ mode: Int) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/token"
            try write("canary", path, mode: mode)
            let octal = String(mode, radix: 8)
            #expect(
                expectation(.file(path))
                    == "\(path) to be readable by its owner alone (chmod 600), mode is 0\(octal)")
        }
    }

    @Test(arguments: [
        ("", "not to be empty"), ("\n", "not to be empty"), ("a\nb", "to hold one line of text"),
        (String(repeating: "x", count: 65_537), "to be at most 65536 bytes"),
    ])
    func `a file that holds no secret is refused`(_ text: String, _ expected: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/token"
            try write(text, path, mode: 0o600)
            #expect(expectation(.file(path)) == "\(path) \(expected)")
        }
    }

    @Test func `links, directories, pipes and missing files are refused without waiting`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write("canary", directory + "/token", mode: 0o600)
            try FileManager.default.createSymbolicLink(
                atPath: directory + "/link", withDestinationPath: directory + "/token")
            mkfifo(directory + "/pipe", 0o600)
            for name in ["/link", "/pipe", ""] {
                expectMessage(
                    expectation(.file(directory + name)), begin: directory + name, as: "no regular file\(name)",
                    replacing: [directory: "FOLDER"])
            }
            expectMessage(
                expectation(.file(directory + "/none")), begin: directory + "/none", as: "no file",
                replacing: [directory: "FOLDER"])
        }
    }

    @Test func `a credential comes from systemd's directory, whatever its mode`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write("canary\n", directory + "/token", mode: 0o440)
            let reader = SecretReader(environment: ["CREDENTIALS_DIRECTORY": directory])
            #expect(try reader.read(.credential("token")).revealed == "canary")
            #expect(
                expectation(.credential("token"))
                    == "systemd to pass the credential (LoadCredential=token:PATH in the unit)")
        }
    }

    @Test func `a variable must be set and not be empty`() throws {
        #expect(try SecretReader(environment: ["T": "canary"]).read(.environment("T")).revealed == "canary")
        expectMessage(
            expectation(.environment("T")), begin: "the environment variable T", as: "a variable that is not set")
        expectMessage(
            expectation(.environment("T"), ["T": ""]), begin: "the environment variable T", as: "an empty variable")
    }

    @Test func `a text is refused in a file that others can read`() {
        let yaml = "sinks:\n  - type: overland\n    url: https://x\n    token: canary"
        #expect(Given.problems(yaml, isPrivate: true) == [])
        expectMessages(Given.problems(yaml, isPrivate: false), begin: ["trackd.yaml:4: sinks.overland.token"])
    }

    @Test func `a token in an address is refused in a file that others can read`() {
        let yaml = "sinks: [{type: overland, url: 'https://x/?api_key=canary'}]"
        #expect(Given.problems(yaml, isPrivate: true) == [])
        let problems = Given.problems(yaml, isPrivate: false)
        #expect(problems.count == 1 && problems[0].contains("https://x/?api_key=***"), "\(problems)")
        #expect(Given.problems("sinks: [{type: overland, url: 'https://x/?device=7'}]", isPrivate: false) == [])
    }

    @Test(arguments: ["sinks.home.token=canary", "sinks.0.token=canary", "sinks.0.url=https://x/?token=canary"])
    func `no secret is taken from the command line`(_ option: String) {
        let yaml = "sinks: [{type: overland, name: home, url: 'https://x'}]"
        let problems = Given.problems(yaml, options: [option])
        #expect(problems.count == 1 && problems[0].hasPrefix("--set: sinks.home."), "\(problems)")
        #expect(problems.allSatisfy { $0.contains("command line") && !$0.contains("canary") })
    }

    @Test func `every secret that cannot be had is reported at once`() async throws {
        let configuration = try Given.configuration(
            "sinks: [{type: overland, url: 'https://x', token: {env: A}, headers: {X-Key: {file: /nowhere/b}}}]")
        let loader = ConfigurationReader(environment: [:], stateDirectory: "/state")
        let error = try #require(throws: AgentConfigurationError.self) { try loader.checkSecrets(of: configuration) }
        expectMessages(
            error.problems.map(\.description),
            begin: ["trackd.yaml:1: sinks.overland.token", "trackd.yaml:1: sinks.overland.headers.X-Key"])
    }
}
