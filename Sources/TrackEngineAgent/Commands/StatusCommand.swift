import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// `trackd status [--json]`
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the status of the running agent.",
        discussion: "The exit status is 69 if no agent runs.")

    @OptionGroup var control: ControlOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() async throws {
        let style = Terminal.output.style(environment: ProcessEnvironment.current)
        let view = StatusStyle(columns: style.columns, usesColour: style.usesColour)
        let request = ControlRequest.status(view: json ? nil : view)
        let answer = try await control.withClient { try await $0.send(request) }
        for line in answer.array ?? [] { print(line.string ?? "") }
        if json { print(answer.text) }
    }
}

extension JSONValue {
    /// The value as JSON.
    var text: String {
        String(decoding: bytes, as: UTF8.self)
    }
}
