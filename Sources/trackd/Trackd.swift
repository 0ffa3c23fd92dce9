import ArgumentParser

/// The agent: position fixes in, a durable track out.
@main
struct Trackd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trackd",
        abstract: "Turns position fixes into a durable, filtered track and delivers it.",
        version: release,
        subcommands: subcommands)

    /// The version that `--version` prints and consumers are told.
    static let release = "0.1.0"

    /// Every command; a new one is a file in `Commands` and a row here.
    private static let subcommands: [any ParsableCommand.Type] = [
        RunCommand.self,
        CheckCommand.self,
        ReplayCommand.self,
        TuneCommand.self,
        SimulateCommand.self,
        ExportCommand.self,
        StatusCommand.self,
        SyncCommand.self,
        ClearCommand.self,
        DeadCommand.self,
        SetupCommand.self,
    ]
}
