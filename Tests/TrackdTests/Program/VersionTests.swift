import Foundation
import Testing
import TrackEngineAgent

/// The version of the engine, and the output of `--version`.
@Suite struct VersionTests {
    @Test func `the engine has the version of the file VERSION`() throws {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let file = try String(contentsOfFile: "\(root)/VERSION", encoding: .utf8)
        #expect(file == "\(Agent.engineVersion)\n", "`scripts/version` writes both")
    }

    @Test func `a version line names the program, its version and its origin`() {
        let program = Agent(name: "buoy", version: "1.2.3", build: "commit 0123abc, release build", plugins: .standard)
        #expect(program.versionLine == "buoy 1.2.3 (commit 0123abc, release build)")
    }

    @Test func `a program without an origin prints its name and version`() {
        #expect(Agent(name: "buoy", version: "1.2.3", plugins: .standard).versionLine == "buoy 1.2.3")
    }
}
