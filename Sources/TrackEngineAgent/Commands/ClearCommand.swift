import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// `trackd clear --yes`
struct ClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove every stored record and dead letter, delivered or not.",
        discussion: "The exit status is 64 without --yes, 69 if no agent runs.")

    @OptionGroup var control: ControlOptions

    @Flag(help: "Yes, remove them all.")
    var yes = false

    func validate() throws {
        guard yes else { throw ValidationError("This cannot be undone. Give --yes to remove every stored record.") }
    }

    func run() async throws {
        let answer = try await control.withClient { try await $0.send(.clear) }
        print("\(Int(answer["records"]?.number ?? 0).counted("record")) removed")
    }
}
