import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// An agent's command line.
struct AgentCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Agent.current.name,
            abstract: "Turns position fixes into a durable, filtered track and delivers it.",
            version: Agent.current.versionLine,
            groupedSubcommands: groups)
    }

    /// Runs the command that the arguments name. For an unknown one, suggests the nearest.
    static func runFromArguments() async {
        if CommandLine.arguments.dropFirst().first == RunCommand.configuration.commandName {
            ProcessSignalSequence.holdHangup()
        }
        if let problem = UnknownCommand(CommandLine.arguments.dropFirst().first, of: subcommands) {
            ErrorOutput.write("\(problem)\n")
            exit(withError: ExitStatus.usage)
        }
        await main(nil)
    }

    /// Every command, in the groups of `--help`; a new one is a file in `Commands` and a word here.
    private static var groups: [CommandGroup] {
        let all = [
            CommandGroup(
                name: "Run and look",
                subcommands: [
                    RunCommand.self, StatusCommand.self, PauseCommand.self, ResumeCommand.self, ReplayCommand.self,
                    TuneCommand.self, SimulateCommand.self,
                ]),
            CommandGroup(
                name: "Records and delivery",
                subcommands: [ExportCommand.self, SyncCommand.self, DeadCommand.self, ClearCommand.self]),
            CommandGroup(
                name: "Places, visits and trips",
                subcommands: [
                    PlaceListCommand.self, PlaceCommand.self, VisitListCommand.self, TripListCommand.self,
                    TripCommand.self,
                ]),
            CommandGroup(name: "Receiving and sharing", subcommands: Agent.current.plugins.commands),
            CommandGroup(
                name: "Setup and keys",
                subcommands: [
                    CheckCommand.self, ExplainCommand.self, SetupCommand.self, RemoteValuesCommand.self,
                    StoreCommand.self,
                ]),
        ]
        return all.filter { !$0.subcommands.isEmpty }
    }

    fileprivate static var subcommands: [any ParsableCommand.Type] { groups.flatMap(\.subcommands) }
}

extension AgentPlugins {
    /// The commands that come with types of sources and sinks.
    fileprivate var commands: [any ParsableCommand.Type] {
        var commands: [any ParsableCommand.Type] = []
        if sinks.contains(where: { $0.settings is any RegistrySettings.Type }) {
            commands = [DeviceCommand.self, ViewerCommand.self]
        }
        if sources.contains(where: { $0.settings is any FollowSettings.Type }) { commands.append(FollowCommand.self) }
        if sinks.contains(where: { $0.settings is any SharingSettings.Type }) { commands.append(MiataruCommand.self) }
        return commands
    }
}

/// The help texts of the program's commands.
package enum CommandText {
    /// The output of `help` for a command; empty for an unknown one.
    package static func text(of command: String) -> String {
        let type = AgentCommand.subcommands.first { $0.configuration.commandName == command }
        return type.map { AgentCommand.helpMessage(for: $0, columns: 120) } ?? ""
    }
}

/// A first argument that names no command, with a suggestion.
struct UnknownCommand: CustomStringConvertible {
    private let word: String
    private let names: [String]

    /// Makes the problem; `nil` if the argument is an option, a command, or missing.
    init?(_ argument: String?, of commands: [any ParsableCommand.Type]) {
        let names = commands.compactMap { $0.configuration.commandName }
        guard let argument, !argument.hasPrefix("-"), !(names + ["help"]).contains(argument) else { return nil }
        word = argument
        self.names = names
    }

    /// `runn: expected a command; did you mean run?`, or all commands if none is near.
    var description: String {
        let hint = Suggestion.nearest(to: word, in: names).map { "; did you mean \($0)?" }
        return "\(word.quoted(atMost: 40)): expected a command" + (hint ?? ", one of \(names.joined(separator: ", "))")
    }
}
