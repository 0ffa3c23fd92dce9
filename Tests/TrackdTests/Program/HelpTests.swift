import Foundation
import TestSupport
import Testing
import TrackEngineAgent
import TrackEngineTestKit

/// The output of `trackd --help`.
@Suite struct HelpTests {
    @Test func `each command is in one of the five groups, and in no other`() async throws {
        let child = try ChildProcess(TestEnvironment.builtProduct("trackd"), ["--help"])
        await eventually("the help ends") { child.exitCode != nil }
        #expect(child.exitCode == 0)
        var groups: [(name: String, commands: [String])] = []
        for line in child.text.split(separator: "\n") {
            if line.hasSuffix(" SUBCOMMANDS:") {
                groups.append((String(line.dropLast(" SUBCOMMANDS:".count)), []))
            } else if !groups.isEmpty, line.hasPrefix("  "), let word = line.split(separator: " ").first,
                line.dropFirst(2).first?.isLowercase == true
            {
                groups[groups.count - 1].commands.append(word.filter { $0 != "," })
            }
        }
        #expect(
            groups.map(\.name) == [
                "RUN AND LOOK", "RECORDS AND DELIVERY", "PLACES, VISITS AND TRIPS", "RECEIVING AND SHARING",
                "SETUP AND KEYS",
            ])
        let listed = groups.flatMap(\.commands)
        let manual = try CommandReference(Agent(name: "trackd", plugins: .standard)).commands
        let commands = Set(manual.compactMap { $0.split(separator: " ").first.map(String.init) })
        #expect(Set(listed) == commands)
        #expect(listed.count == commands.count, "no command is listed twice")
    }
}
