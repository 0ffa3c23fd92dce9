import ArgumentParser
import TrackEngineSettings

/// A first argument that names no command, and which one may have been meant.
struct UnknownCommand: CustomStringConvertible {
    private let word: String
    private let names: [String]

    /// `nil` where the argument is an option, a command, or missing.
    init?(_ argument: String?, of commands: [any ParsableCommand.Type]) {
        let names = commands.compactMap { $0.configuration.commandName }
        guard let argument, !argument.hasPrefix("-"), !(names + ["help"]).contains(argument) else { return nil }
        word = argument
        self.names = names
    }

    /// `runn: expected a command; did you mean run?`, or all commands where none is near.
    var description: String {
        let hint = Suggestion.nearest(to: word, in: names).map { "; did you mean \($0)?" }
        return "\(word.quoted(atMost: 40)): expected a command" + (hint ?? ", one of \(names.joined(separator: ", "))")
    }
}
