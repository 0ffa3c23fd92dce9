import Foundation
import Testing
import TrackEngineAgent

/// The manual page of the commands, and that it says what they say themselves.
@Suite struct CommandReferenceTests {
    private let program = Agent(name: "trackd", plugins: .standard)

    @Test func `the committed page is what the program says`() throws {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let committed = try String(contentsOfFile: "\(root)/Packaging/man/trackd.1", encoding: .utf8)
        #expect(
            try CommandReference(program).page == committed,
            "Packaging/man/trackd.1 differs from the commands: write it again with `make reference`")
    }

    @Test func `every option that a command's help names is in its section, or among those of several commands`() throws
    {
        let manual = try CommandReference(program)
        let page = manual.page.replacing("\\-", with: "-")
        let shared = try section(from: ".SH OPTIONS", to: ".SH COMMANDS", of: page)
        #expect(manual.commands.contains("dead list"))
        for command in manual.commands {
            let own = try section(from: ".SS \\fBtrackd \(command)\\fR", to: "\n.S", of: page)
            // `dead` has no options itself: its help says nothing of those of `dead list`.
            let help = CommandText.text(of: command)
            for option in options(in: help) {
                #expect(
                    (own + shared).contains("\n\\fB\(option)\\fR") || (own + shared).contains(", \\fB\(option)\\fR"))
                #expect(
                    ["--help", "--version"].contains(option) || own.prefix { $0 != "\n" }.contains(option),
                    "\(command) \(option)")
            }
        }
    }

    @Test func `the page holds nothing that troff takes for more than text`() throws {
        let requests = [".SH", ".SS", ".TH", ".TP", ".nh", ".ad", ".PP", ".B", ".BR", ".RI", ".I", ".\\\""]
        for line in try CommandReference(program).page.split(separator: "\n") {
            #expect(!line.hasPrefix("'"))
            if line.hasPrefix(".") { #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)") }
            #expect(line.utf8.allSatisfy { $0 < 0x7f }, "\(line)")
        }
    }

    @Test func `a program of one's own has its name in the page`() throws {
        let page = try CommandReference(Agent(name: "can-tracker", plugins: .standard)).page
        #expect(page.contains(".TH CAN\\-TRACKER 1"))
        #expect(page.contains(".B CAN_TRACKER_CONFIG"))
        #expect(page.contains(".SS \\fBcan\\-tracker status\\fR"))
    }

    private func section(from start: String, to end: String, of page: String) throws -> String {
        let begin = try #require(page.range(of: start), "\(start)")
        let rest = page[begin.lowerBound...]
        let next = rest.dropFirst(start.count).range(of: end)
        return String(rest[..<(next?.lowerBound ?? rest.endIndex)])
    }

    /// The words of a help text that begin a line as options do.
    private func options(in help: String) -> [String] {
        help.split(separator: "\n").filter { $0.hasPrefix("  -") }
            .flatMap { $0.split(separator: " ").prefix { $0.hasPrefix("-") } }
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: ",")) }.filter { $0.hasPrefix("--") }
    }
}
