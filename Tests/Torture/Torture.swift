import ArgumentParser
import TortureKit

/// Breaks the store in every known way and looks whether the promise holds.
@main struct Torture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "torture", abstract: "Breaks things in every known way and looks whether the promise holds.",
        subcommands: [RunCommand.self, WorkerCommand.self, WorkloadCommand.self, TrialCommand.self],
        defaultSubcommand: RunCommand.self)
}

extension TortureScale: ExpressibleByArgument {}
extension Mutant: ExpressibleByArgument {}
extension Scenario: ExpressibleByArgument {}
